package io.weft.backend.rdma.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.weft.ffi.Errno;
import io.weft.ffi.Foreign;
import io.weft.ffi.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * The exported functions of libibverbs that devices are found and asked with.
 *
 * <p>Immutable; safe from any thread.
 */
public final class Verbs {
    private static final int DEVICE_NAME_BYTES = 64;

    private final NativeLibrary library;
    private final MethodHandle getDeviceList;
    private final MethodHandle freeDeviceList;
    private final MethodHandle getDeviceName;
    private final MethodHandle openDevice;
    private final MethodHandle closeDevice;
    private final MethodHandle queryDevice;
    private final MethodHandle queryPort;
    private final MethodHandle queryGid;

    /**
     * Binds.
     *
     * @param library a loaded libibverbs
     * @throws io.weft.ffi.MissingSymbolException if it lacks a function
     */
    public Verbs(NativeLibrary library) {
        this.library = library;
        getDeviceList = library.function("ibv_get_device_list", FunctionDescriptor.of(ADDRESS, ADDRESS), Errno.CAPTURE);
        freeDeviceList = library.function("ibv_free_device_list", FunctionDescriptor.ofVoid(ADDRESS));
        getDeviceName = library.function("ibv_get_device_name", FunctionDescriptor.of(ADDRESS, ADDRESS));
        openDevice = library.function("ibv_open_device", FunctionDescriptor.of(ADDRESS, ADDRESS), Errno.CAPTURE);
        closeDevice = library.function("ibv_close_device", FunctionDescriptor.of(JAVA_INT, ADDRESS));
        queryDevice = library.function("ibv_query_device", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
        queryPort = library.function("ibv_query_port", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_BYTE, ADDRESS));
        queryGid = library.function(
                "ibv_query_gid", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_BYTE, JAVA_INT, ADDRESS), Errno.CAPTURE);
    }

    /**
     * Which library it is.
     *
     * @return the library
     */
    public NativeLibrary library() {
        return library;
    }

    /** Does something with an {@code ibv_device} that is valid during the call only. */
    @FunctionalInterface
    public interface DeviceVisitor {
        /**
         * Visits a device.
         *
         * @param device the {@code struct ibv_device *}
         * @param name its name
         */
        void visit(MemorySegment device, String name);
    }

    /**
     * Visits every device; the list is freed afterwards, contexts opened meanwhile live on.
     *
     * @param visitor what to do with each
     * @return names in the library's order
     * @throws VerbsException if there is no list: ENOSYS without RDMA in the kernel
     */
    public List<String> devices(DeviceVisitor visitor) throws VerbsException {
        List<String> names = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = Errno.allocate(arena);
            MemorySegment count = arena.allocate(JAVA_INT);
            MemorySegment list = (MemorySegment) getDeviceList.invokeExact(errno, count);
            if (list.address() == 0) {
                throw new VerbsException("ibv_get_device_list", "this host", Errno.get(errno));
            }
            try {
                int length = count.get(JAVA_INT, 0);
                MemorySegment pointers = Foreign.view(list, (length + 1L) * ADDRESS.byteSize());
                for (int i = 0; i < length; i++) {
                    MemorySegment device = pointers.getAtIndex(ADDRESS, i);
                    MemorySegment name = (MemorySegment) getDeviceName.invokeExact(device);
                    names.add(Foreign.string(name, DEVICE_NAME_BYTES));
                    visitor.visit(device, names.get(i));
                }
            } finally {
                freeDeviceList.invokeExact(list);
            }
            return names;
        } catch (VerbsException | RuntimeException expected) {
            throw expected;
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    /**
     * Opens a device.
     *
     * @param device a {@code struct ibv_device *} being visited
     * @param name its name, for the error
     * @return its context, to be closed by {@link #close}
     * @throws VerbsException EACCES or EPERM without the right to its uverbs file
     */
    public MemorySegment open(MemorySegment device, String name) throws VerbsException {
        MemorySegment context;
        int error;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = Errno.allocate(arena);
            context = (MemorySegment) openDevice.invokeExact(errno, device);
            error = Errno.get(errno);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
        if (context.address() == 0) {
            throw new VerbsException("ibv_open_device", name, error);
        }
        return context;
    }

    /**
     * Closes a context.
     *
     * @param context from {@link #open}
     */
    public void close(MemorySegment context) {
        try {
            int rc = (int) closeDevice.invokeExact(context);
            assert rc == 0 || rc == -1 : "ibv_close_device gave " + rc;
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    /**
     * Asks a device.
     *
     * @param context an open context
     * @param name its name, for the error
     * @return its facts
     * @throws VerbsException with the returned errno
     */
    public DeviceFacts queryDevice(MemorySegment context, String name) throws VerbsException {
        int rc;
        DeviceFacts facts;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = arena.allocate(IbvDeviceAttr.LAYOUT);
            rc = (int) queryDevice.invokeExact(context, attr);
            facts = DeviceFacts.of(attr);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
        if (rc != 0) {
            throw new VerbsException("ibv_query_device", name, rc);
        }
        return facts;
    }

    /**
     * Asks a port.
     *
     * @param context an open context
     * @param name the device, for the error
     * @param port from 1
     * @return its facts
     * @throws VerbsException with the returned errno
     */
    public PortFacts queryPort(MemorySegment context, String name, int port) throws VerbsException {
        int rc;
        PortFacts facts;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = arena.allocate(IbvPortAttr.LAYOUT);
            rc = (int) queryPort.invokeExact(context, (byte) port, attr);
            facts = PortFacts.of(port, attr);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
        if (rc != 0) {
            throw new VerbsException("ibv_query_port", name + " port " + port, rc);
        }
        return facts;
    }

    /**
     * Reads an entry of a GID table.
     *
     * @param context an open context
     * @param name the device, for the error
     * @param port from 1
     * @param index from 0
     * @return 16 bytes, all zero for an empty entry
     * @throws VerbsException with errno
     */
    public byte[] queryGid(MemorySegment context, String name, int port, int index) throws VerbsException {
        int rc;
        int error;
        byte[] gid;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = Errno.allocate(arena);
            MemorySegment out = arena.allocate(16, 8);
            rc = (int) queryGid.invokeExact(errno, context, (byte) port, index, out);
            error = Errno.get(errno);
            gid = out.toArray(JAVA_BYTE);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
        if (rc != 0) {
            throw new VerbsException("ibv_query_gid", name + " port " + port + " index " + index, error);
        }
        return gid;
    }
}
