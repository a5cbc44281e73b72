package io.weft.api;

import java.util.Arrays;
import java.util.Objects;

/**
 * Names a registered region of some engine, to hand to peers. Packs to the bytes of MORI-IO's {@code MemoryDesc}
 * (rule DSC-1).
 *
 * <p>Immutable; safe from any thread. Equality covers identity, place and size, and ignores the IPC and fabric fields,
 * as in MORI-IO. Built with {@link Builder}, because the format has grown before and will again.
 *
 * @since 0.1
 */
public final class MemoryDescriptor {
    /** Length of {@link #ipcHandle()} and {@link #fabricHandle()} in bytes. */
    public static final int HANDLE_BYTES = 64;

    private final String engineKey;
    private final int id;
    private final int deviceId;
    private final String deviceBusId;
    private final long address;
    private final long length;
    private final int location;
    private final byte[] ipcHandle;
    private final int numaNode;
    private final long ipcOffset;
    private final byte[] fabricHandle;
    private final int vpodId;
    private final String vpodPpodId;
    private final long fabricOffset;
    private final long fabricAllocSize;

    private MemoryDescriptor(Builder b) {
        engineKey = b.engineKey;
        id = b.id;
        deviceId = b.deviceId;
        deviceBusId = b.deviceBusId;
        address = b.address;
        length = b.length;
        location = b.location;
        ipcHandle = b.ipcHandle.clone();
        numaNode = b.numaNode;
        ipcOffset = b.ipcOffset;
        fabricHandle = b.fabricHandle.clone();
        vpodId = b.vpodId;
        vpodPpodId = b.vpodPpodId;
        fabricOffset = b.fabricOffset;
        fabricAllocSize = b.fabricAllocSize;
    }

    /**
     * Starts a descriptor with MORI-IO's defaults.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The owner's wire key.
     *
     * @return the key
     */
    public String engineKey() {
        return engineKey;
    }

    /**
     * The region's id, unique in one incarnation of its owner (rule REG-1).
     *
     * @return an unsigned 32-bit value
     */
    public int id() {
        return id;
    }

    /**
     * Device index.
     *
     * @return the index, -1 for host memory
     */
    public int deviceId() {
        return deviceId;
    }

    /**
     * The device's PCI address, or the kind of its memory where a Weft engine made the descriptor: MORI-IO reads the field as text
     * only.
     *
     * @return lower-case domain:bus:device.function or a {@link MemoryKind} id, empty for host memory
     */
    public String deviceBusId() {
        return deviceBusId;
    }

    /**
     * Address in the owner's address space.
     *
     * @return an unsigned 64-bit value
     */
    public long address() {
        return address;
    }

    /**
     * Length in bytes.
     *
     * @return an unsigned 64-bit value
     */
    public long length() {
        return length;
    }

    /**
     * MORI's location code: 0 unknown, 1 CPU, 2 GPU.
     *
     * @return the code
     */
    public int location() {
        return location;
    }

    /**
     * The 64-byte IPC handle.
     *
     * @return a copy; zeros when unused
     */
    public byte[] ipcHandle() {
        return ipcHandle.clone();
    }

    /**
     * NUMA node of the memory.
     *
     * @return the node, -1 when unknown
     */
    public int numaNode() {
        return numaNode;
    }

    /**
     * Offset of the region in the allocation that the IPC handle names.
     *
     * @return bytes
     */
    public long ipcOffset() {
        return ipcOffset;
    }

    /**
     * The 64-byte fabric handle.
     *
     * @return a copy; zeros when unused
     */
    public byte[] fabricHandle() {
        return fabricHandle.clone();
    }

    /**
     * Scale-up domain.
     *
     * @return the id, -1 when unused
     */
    public int vpodId() {
        return vpodId;
    }

    /**
     * Physical scale-up domain.
     *
     * @return the id, empty when unused
     */
    public String vpodPpodId() {
        return vpodPpodId;
    }

    /**
     * Offset in the fabric allocation.
     *
     * @return bytes
     */
    public long fabricOffset() {
        return fabricOffset;
    }

    /**
     * Size of the fabric allocation.
     *
     * @return bytes
     */
    public long fabricAllocSize() {
        return fabricAllocSize;
    }

    /**
     * A builder that starts from this descriptor.
     *
     * @return a new builder
     */
    public Builder toBuilder() {
        return new Builder()
                .engineKey(engineKey)
                .id(id)
                .device(deviceId, deviceBusId)
                .range(address, length)
                .location(location)
                .ipc(ipcHandle, ipcOffset)
                .numaNode(numaNode)
                .fabric(fabricHandle, fabricOffset, fabricAllocSize)
                .vpod(vpodId, vpodPpodId);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MemoryDescriptor that
                && id == that.id
                && deviceId == that.deviceId
                && address == that.address
                && length == that.length
                && location == that.location
                && numaNode == that.numaNode
                && engineKey.equals(that.engineKey)
                && deviceBusId.equals(that.deviceBusId);
    }

    @Override
    public int hashCode() {
        return Objects.hash(engineKey, id, address, length);
    }

    @Override
    public String toString() {
        return "MemoryDescriptor[" + engineKey + "#" + Integer.toUnsignedString(id) + " length "
                + Long.toUnsignedString(length) + (deviceId >= 0 ? " device " + deviceId : "") + "]";
    }

    /**
     * Collects the fields of a descriptor. Confined to one thread; setters return this builder.
     *
     * @since 0.1
     */
    public static final class Builder {
        private String engineKey = "";
        private int id;
        private int deviceId = -1;
        private String deviceBusId = "";
        private long address;
        private long length;
        private int location;
        private byte[] ipcHandle = new byte[HANDLE_BYTES];
        private int numaNode = -1;
        private long ipcOffset;
        private byte[] fabricHandle = new byte[HANDLE_BYTES];
        private int vpodId = -1;
        private String vpodPpodId = "";
        private long fabricOffset;
        private long fabricAllocSize;

        private Builder() {}

        /**
         * Sets the owner.
         *
         * @param value the owner's wire key
         * @return this
         */
        public Builder engineKey(String value) {
            engineKey = Objects.requireNonNull(value, "engineKey");
            return this;
        }

        /**
         * Sets the id.
         *
         * @param value unsigned 32-bit region id
         * @return this
         */
        public Builder id(int value) {
            id = value;
            return this;
        }

        /**
         * Sets the device.
         *
         * @param index device index, -1 for host
         * @param busId lower-case PCI address, empty for host
         * @return this
         */
        public Builder device(int index, String busId) {
            deviceId = index;
            deviceBusId = Objects.requireNonNull(busId, "busId");
            return this;
        }

        /**
         * Sets the range.
         *
         * @param start address in the owner's address space, unsigned
         * @param bytes length in bytes, unsigned
         * @return this
         */
        public Builder range(long start, long bytes) {
            address = start;
            length = bytes;
            return this;
        }

        /**
         * Sets MORI's location code.
         *
         * @param value 0 unknown, 1 CPU, 2 GPU
         * @return this
         */
        public Builder location(int value) {
            location = value;
            return this;
        }

        /**
         * Sets the IPC fields.
         *
         * @param handle exactly {@link #HANDLE_BYTES} bytes, copied
         * @param offset offset in the exported allocation
         * @return this
         * @throws IllegalArgumentException if the handle has another length
         */
        public Builder ipc(byte[] handle, long offset) {
            ipcHandle = checkedHandle(handle, "ipcHandle");
            ipcOffset = offset;
            return this;
        }

        /**
         * Sets the NUMA node.
         *
         * @param value node, -1 when unknown
         * @return this
         */
        public Builder numaNode(int value) {
            numaNode = value;
            return this;
        }

        /**
         * Sets the fabric fields.
         *
         * @param handle exactly {@link #HANDLE_BYTES} bytes, copied
         * @param offset offset in the fabric allocation
         * @param allocSize size of the fabric allocation
         * @return this
         * @throws IllegalArgumentException if the handle has another length
         */
        public Builder fabric(byte[] handle, long offset, long allocSize) {
            fabricHandle = checkedHandle(handle, "fabricHandle");
            fabricOffset = offset;
            fabricAllocSize = allocSize;
            return this;
        }

        /**
         * Sets the scale-up domain.
         *
         * @param virtualId domain id, -1 when unused
         * @param physicalId physical domain id, empty when unused
         * @return this
         */
        public Builder vpod(int virtualId, String physicalId) {
            vpodId = virtualId;
            vpodPpodId = Objects.requireNonNull(physicalId, "physicalId");
            return this;
        }

        /**
         * Makes the descriptor.
         *
         * @return an immutable descriptor
         */
        public MemoryDescriptor build() {
            return new MemoryDescriptor(this);
        }

        private static byte[] checkedHandle(byte[] handle, String name) {
            if (handle.length != HANDLE_BYTES) {
                throw new IllegalArgumentException(
                        name + " has " + handle.length + " bytes, must have " + HANDLE_BYTES);
            }
            return Arrays.copyOf(handle, HANDLE_BYTES);
        }
    }
}
