package io.weft.ffi;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds the layout of a C struct by C's rules of padding, from its fields in order.
 *
 * <p>Confined to one thread. The result is checked against the C compiler by {@code sizeof} and {@code offsetof} in the tests
 * of each binding; never trust one that is not.
 *
 * @since 0.1
 */
public final class CStruct {
    private final String name;
    private final List<MemoryLayout> members = new ArrayList<>();
    private long offset;
    private long alignment = 1;

    private CStruct(String name) {
        this.name = name;
    }

    /**
     * Starts a struct.
     *
     * @param name its C name
     * @return a builder
     */
    public static CStruct named(String name) {
        return new CStruct(name);
    }

    /**
     * Adds a field of any layout, after the padding that its alignment asks for.
     *
     * @param field the C name
     * @param layout its layout
     * @return this
     */
    public CStruct field(String field, MemoryLayout layout) {
        long fieldAlignment = layout.byteAlignment();
        pad(fieldAlignment);
        members.add(layout.withName(field));
        offset += layout.byteSize();
        alignment = Math.max(alignment, fieldAlignment);
        return this;
    }

    /**
     * Adds pointers.
     *
     * @param fields their C names
     * @return this
     */
    public CStruct pointers(String... fields) {
        return each(ValueLayout.ADDRESS, fields);
    }

    /**
     * Adds 64-bit integers ({@code uint64_t}, {@code size_t}).
     *
     * @param fields their C names
     * @return this
     */
    public CStruct longs(String... fields) {
        return each(ValueLayout.JAVA_LONG, fields);
    }

    /**
     * Adds 32-bit integers ({@code int}, {@code uint32_t}, enums).
     *
     * @param fields their C names
     * @return this
     */
    public CStruct ints(String... fields) {
        return each(ValueLayout.JAVA_INT, fields);
    }

    /**
     * Adds 16-bit integers.
     *
     * @param fields their C names
     * @return this
     */
    public CStruct shorts(String... fields) {
        return each(ValueLayout.JAVA_SHORT, fields);
    }

    /**
     * Adds bytes.
     *
     * @param fields their C names
     * @return this
     */
    public CStruct bytes(String... fields) {
        return each(ValueLayout.JAVA_BYTE, fields);
    }

    /**
     * Adds an array of bytes.
     *
     * @param field its C name
     * @param length number of bytes
     * @return this
     */
    public CStruct byteArray(String field, long length) {
        return field(field, MemoryLayout.sequenceLayout(length, ValueLayout.JAVA_BYTE));
    }

    /**
     * Ends the struct with its trailing padding.
     *
     * @return the layout
     */
    public StructLayout build() {
        pad(alignment);
        return MemoryLayout.structLayout(members.toArray(MemoryLayout[]::new)).withName(name);
    }

    /**
     * Offset of a field.
     *
     * @param struct a layout made here
     * @param field the C name
     * @return bytes from the start
     */
    public static long offset(StructLayout struct, String field) {
        return struct.byteOffset(PathElement.groupElement(field));
    }

    private CStruct each(ValueLayout layout, String... fields) {
        for (String field : fields) {
            field(field, layout);
        }
        return this;
    }

    private void pad(long to) {
        long over = offset % to;
        if (over != 0) {
            members.add(MemoryLayout.paddingLayout(to - over));
            offset += to - over;
        }
    }
}
