package io.weft.backend.rdma.verbs;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.ffi.CStruct;
import io.weft.ffi.Errno;
import io.weft.ffi.FileDescriptors;
import io.weft.ffi.Foreign;
import io.weft.ffi.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * The verbs that make and free objects (exported), and those that move data, which the header inlines: they go through the
 * table of function pointers in the device's context.
 *
 * <p>Immutable; safe from any thread as verbs are.
 */
public final class Ibv {
    /** {@code IBV_ACCESS_RELAXED_ORDERING}, a wish. */
    public static final int RELAXED_ORDERING = 1 << 20;

    private static final String REG_DMABUF = "ibv_reg_dmabuf_mr";

    private final MethodHandle allocPd;
    private final MethodHandle deallocPd;
    private final MethodHandle regMr;
    private final @Nullable MethodHandle regDmaBuf;
    private final MethodHandle deregMr;
    private final MethodHandle createChannel;
    private final MethodHandle destroyChannel;
    private final MethodHandle createCq;
    private final MethodHandle destroyCq;
    private final MethodHandle getCqEvent;
    private final MethodHandle ackCqEvents;
    private final MethodHandle getAsyncEvent;
    private final MethodHandle ackAsyncEvent;
    private final MethodHandle createQp;
    private final MethodHandle modifyQp;
    private final MethodHandle destroyQp;

    /**
     * Binds.
     *
     * @param library a loaded libibverbs
     * @throws io.weft.ffi.MissingSymbolException if it lacks a function
     */
    public Ibv(NativeLibrary library) {
        FunctionDescriptor makes = FunctionDescriptor.of(ADDRESS, ADDRESS);
        FunctionDescriptor frees = FunctionDescriptor.of(JAVA_INT, ADDRESS);
        allocPd = library.function("ibv_alloc_pd", makes, Errno.CAPTURE);
        deallocPd = library.function("ibv_dealloc_pd", frees);
        // What the header makes of ibv_reg_mr: it drops rights that are only wishes where the kernel does not know
        // them.
        regMr = library.function(
                "ibv_reg_mr_iova2",
                FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT),
                Errno.CAPTURE);
        regDmaBuf = library.find(REG_DMABUF).isEmpty()
                ? null
                : library.function(
                        REG_DMABUF,
                        FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT),
                        Errno.CAPTURE);
        deregMr = library.function("ibv_dereg_mr", frees);
        createChannel = library.function("ibv_create_comp_channel", makes, Errno.CAPTURE);
        destroyChannel = library.function("ibv_destroy_comp_channel", frees);
        createCq = library.function(
                "ibv_create_cq",
                FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT),
                Errno.CAPTURE);
        destroyCq = library.function("ibv_destroy_cq", frees);
        getCqEvent = library.function("ibv_get_cq_event", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));
        ackCqEvents = library.function("ibv_ack_cq_events", FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT));
        getAsyncEvent = library.function("ibv_get_async_event", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
        ackAsyncEvent = library.function("ibv_ack_async_event", FunctionDescriptor.ofVoid(ADDRESS));
        createQp = library.function("ibv_create_qp", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS), Errno.CAPTURE);
        modifyQp = library.function("ibv_modify_qp", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
        destroyQp = library.function("ibv_destroy_qp", frees);
    }

    private static MemorySegment made(String verb, String what, MemorySegment object, int errno) throws VerbsException {
        if (object.address() == 0) {
            throw new VerbsException(verb, what, errno);
        }
        return object;
    }

    private static MemorySegment make(MethodHandle handle, MemorySegment parent, String verb) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = Errno.allocate(arena);
            MemorySegment object;
            try {
                object = (MemorySegment) handle.invokeExact(errno, parent);
            } catch (Throwable thrown) {
                throw Foreign.unexpected(thrown);
            }
            return made(verb, "the device", object, Errno.get(errno));
        }
    }

    private static void free(MethodHandle handle, MemorySegment object, String verb) throws VerbsException {
        int rc;
        try {
            rc = (int) handle.invokeExact(object);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
        if (rc != 0) {
            throw new VerbsException(verb, "the device", rc);
        }
    }

    /**
     * Makes a protection domain.
     *
     * @param context an open device
     * @return the {@code struct ibv_pd *}
     * @throws VerbsException with errno
     */
    public MemorySegment allocPd(MemorySegment context) throws VerbsException {
        return make(allocPd, context, "ibv_alloc_pd");
    }

    /**
     * Frees a protection domain.
     *
     * @param pd nothing may hang on it
     * @throws VerbsException EBUSY otherwise
     */
    public void deallocPd(MemorySegment pd) throws VerbsException {
        free(deallocPd, pd, "ibv_dealloc_pd");
    }

    /**
     * A registration.
     *
     * @param mr the {@code struct ibv_mr *}
     * @param lkey key for local use
     * @param rkey key for peers
     */
    public record Mr(MemorySegment mr, int lkey, int rkey) {}

    /**
     * Registers memory; pins it.
     *
     * @param pd the domain
     * @param address first byte
     * @param length bytes
     * @param access {@code IBV_ACCESS_*}
     * @return the registration
     * @throws VerbsException ENOMEM over a limit, EFAULT or EACCES for memory of other rights
     */
    public Mr regMr(MemorySegment pd, long address, long length, int access) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = Errno.allocate(arena);
            MemorySegment mr;
            try {
                mr = (MemorySegment) regMr.invokeExact(errno, pd, address, length, address, access);
            } catch (Throwable thrown) {
                throw Foreign.unexpected(thrown);
            }
            return registered("ibv_reg_mr", length, mr, Errno.get(errno));
        }
    }

    private static Mr registered(String verb, long length, MemorySegment mr, int errno) throws VerbsException {
        made(verb, length + " bytes", mr, errno);
        MemorySegment struct = Foreign.view(mr, Structs.MR.byteSize());
        return new Mr(
                mr,
                struct.get(JAVA_INT, CStruct.offset(Structs.MR, "lkey")),
                struct.get(JAVA_INT, CStruct.offset(Structs.MR, "rkey")));
    }

    /**
     * Registers a part of a dma-buf; pins it.
     *
     * @param pd the domain
     * @param fd the dma-buf, not needed any more afterwards
     * @param offset first byte in it
     * @param length bytes
     * @param address by which requests name the first byte; lies as far into its page as the offset does
     * @param access {@code IBV_ACCESS_*}
     * @return the registration
     * @throws VerbsException EOPNOTSUPP if library, kernel or driver cannot, EINVAL for a range that does not fit
     */
    public Mr regDmaBuf(MemorySegment pd, int fd, long offset, long length, long address, int access)
            throws VerbsException {
        if (regDmaBuf == null) {
            throw new VerbsException(REG_DMABUF, "a library that lacks it", Errno.EOPNOTSUPP);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = Errno.allocate(arena);
            MemorySegment mr;
            try {
                mr = (MemorySegment) regDmaBuf.invokeExact(errno, pd, offset, length, address, fd, access);
            } catch (Throwable thrown) {
                throw Foreign.unexpected(thrown);
            }
            return registered(REG_DMABUF, length, mr, Errno.get(errno));
        }
    }

    /**
     * Ends a registration; the NIC does not touch the memory afterwards.
     *
     * @param mr the registration
     * @throws VerbsException if the driver refuses
     */
    public void deregMr(Mr mr) throws VerbsException {
        free(deregMr, mr.mr(), "ibv_dereg_mr");
    }

    /**
     * Makes a completion channel whose events are taken without blocking: an event goes with its queue, maybe after it was seen.
     *
     * @param context an open device
     * @return the {@code struct ibv_comp_channel *}
     * @throws VerbsException with errno
     */
    public MemorySegment createChannel(MemorySegment context) throws VerbsException {
        MemorySegment channel = make(createChannel, context, "ibv_create_comp_channel");
        FileDescriptors.setNonBlocking(channelFd(channel));
        return channel;
    }

    /**
     * Frees a completion channel.
     *
     * @param channel without completion queues
     * @throws VerbsException EBUSY otherwise
     */
    public void destroyChannel(MemorySegment channel) throws VerbsException {
        free(destroyChannel, channel, "ibv_destroy_comp_channel");
    }

    /**
     * The descriptor of a channel.
     *
     * @param channel the channel
     * @return a file descriptor, the channel's
     */
    public static int channelFd(MemorySegment channel) {
        return Foreign.view(channel, Structs.CHANNEL.byteSize()).get(JAVA_INT, CStruct.offset(Structs.CHANNEL, "fd"));
    }

    /**
     * Makes a completion queue.
     *
     * @param context an open device
     * @param entries capacity
     * @param channel where it tells of completions
     * @return the {@code struct ibv_cq *}
     * @throws VerbsException EINVAL over the device's limit
     */
    public MemorySegment createCq(MemorySegment context, int entries, MemorySegment channel) throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = Errno.allocate(arena);
            MemorySegment none = MemorySegment.NULL;
            MemorySegment cq;
            try {
                cq = (MemorySegment) createCq.invokeExact(errno, context, entries, none, channel, 0);
            } catch (Throwable thrown) {
                throw Foreign.unexpected(thrown);
            }
            return made("ibv_create_cq", entries + " entries", cq, Errno.get(errno));
        }
    }

    /**
     * Frees a completion queue.
     *
     * @param cq without queue pairs
     * @throws VerbsException EBUSY otherwise
     */
    public void destroyCq(MemorySegment cq) throws VerbsException {
        free(destroyCq, cq, "ibv_destroy_cq");
    }

    /**
     * Takes one event off a channel, if there is one, and acknowledges it.
     *
     * @param channel the channel
     */
    public void takeEvent(MemorySegment channel) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment cq = arena.allocate(ADDRESS);
            MemorySegment user = arena.allocate(ADDRESS);
            int rc = (int) getCqEvent.invokeExact(channel, cq, user);
            if (rc == 0) {
                ackCqEvents.invokeExact(cq.get(ADDRESS, 0), 1);
            }
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    /**
     * Something that happened to a device, a port, or an object.
     *
     * @param type {@code IBV_EVENT_*}
     * @param element address of the object, or the port's number; 0 for the device
     */
    public record AsyncEvent(int type, long element) {
        /** {@code IBV_EVENT_CQ_ERR}. */
        public static final int CQ_ERR = 0;
        /** {@code IBV_EVENT_QP_FATAL}. */
        public static final int QP_FATAL = 1;
        /** {@code IBV_EVENT_DEVICE_FATAL}. */
        public static final int DEVICE_FATAL = 8;
        /** {@code IBV_EVENT_PORT_ERR}. */
        public static final int PORT_ERR = 10;
    }

    /**
     * The descriptor on which a device tells of asynchronous events, not blocking from now on.
     *
     * @param context an open device
     * @return a file descriptor, the device's
     */
    public static int asyncFd(MemorySegment context) {
        int fd = Foreign.view(context, Structs.CONTEXT.byteSize())
                .get(JAVA_INT, CStruct.offset(Structs.CONTEXT, "async_fd"));
        FileDescriptors.setNonBlocking(fd);
        return fd;
    }

    /**
     * Takes one asynchronous event and acknowledges it, so that what it names can be destroyed.
     *
     * @param context an open device
     * @return the event, null if there is none
     */
    public @Nullable AsyncEvent takeAsyncEvent(MemorySegment context) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment event = arena.allocate(Structs.ASYNC_EVENT);
            if ((int) getAsyncEvent.invokeExact(context, event) != 0) {
                return null;
            }
            int type = event.get(JAVA_INT, CStruct.offset(Structs.ASYNC_EVENT, "event_type"));
            long element = event.get(JAVA_LONG, 0);
            ackAsyncEvent.invokeExact(event);
            return new AsyncEvent(type, type > AsyncEvent.DEVICE_FATAL ? (int) element : element);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
    }

    /**
     * What a queue pair holds.
     *
     * @param sends send requests
     * @param sges scatter-gather entries of one
     * @param receives receive buffers
     * @param inline bytes that a send request may carry in itself
     */
    public record Depths(int sends, int sges, int receives, int inline) {
        /**
         * The same, for a driver that refuses to have bytes inline.
         *
         * @return a copy
         */
        public Depths withoutInline() {
            return new Depths(sends, sges, receives, 0);
        }
    }

    /**
     * Makes a reliable connected queue pair.
     *
     * @param pd its domain
     * @param sendCq where its sends complete
     * @param receiveCq where its receives complete, may be the same
     * @param depths what it holds
     * @return the {@code struct ibv_qp *}
     * @throws VerbsException EINVAL over the device's limits, ENOMEM
     */
    public MemorySegment createQp(MemorySegment pd, MemorySegment sendCq, MemorySegment receiveCq, Depths depths)
            throws VerbsException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = arena.allocate(Structs.QP_INIT_ATTR);
            attr.set(ADDRESS, CStruct.offset(Structs.QP_INIT_ATTR, "send_cq"), sendCq);
            attr.set(ADDRESS, CStruct.offset(Structs.QP_INIT_ATTR, "recv_cq"), receiveCq);
            attr.set(JAVA_INT, CStruct.offset(Structs.QP_INIT_ATTR, "max_send_wr"), depths.sends);
            attr.set(JAVA_INT, CStruct.offset(Structs.QP_INIT_ATTR, "max_recv_wr"), depths.receives);
            attr.set(JAVA_INT, CStruct.offset(Structs.QP_INIT_ATTR, "max_send_sge"), depths.sges);
            attr.set(JAVA_INT, CStruct.offset(Structs.QP_INIT_ATTR, "max_recv_sge"), 1);
            attr.set(JAVA_INT, CStruct.offset(Structs.QP_INIT_ATTR, "max_inline_data"), depths.inline);
            attr.set(JAVA_INT, CStruct.offset(Structs.QP_INIT_ATTR, "qp_type"), 2);
            MemorySegment errno = Errno.allocate(arena);
            MemorySegment qp;
            try {
                qp = (MemorySegment) createQp.invokeExact(errno, pd, attr);
            } catch (Throwable thrown) {
                throw Foreign.unexpected(thrown);
            }
            return made("ibv_create_qp", depths.toString(), qp, Errno.get(errno));
        }
    }

    /**
     * The number by which the other side names a queue pair.
     *
     * @param qp the queue pair
     * @return 24 bits
     */
    public static int qpNumber(MemorySegment qp) {
        return Foreign.view(qp, Structs.QP.byteSize()).get(JAVA_INT, CStruct.offset(Structs.QP, "qp_num"));
    }

    /**
     * Changes a queue pair's state.
     *
     * @param qp the queue pair
     * @param attr a struct of {@link QpAttr}
     * @param mask which of its fields count
     * @throws VerbsException with the returned errno
     */
    public void modifyQp(MemorySegment qp, MemorySegment attr, int mask) throws VerbsException {
        int rc;
        try {
            rc = (int) modifyQp.invokeExact(qp, attr, mask);
        } catch (Throwable thrown) {
            throw Foreign.unexpected(thrown);
        }
        if (rc != 0) {
            throw new VerbsException("ibv_modify_qp", "mask 0x" + Integer.toHexString(mask), rc);
        }
    }

    /**
     * Frees a queue pair: nothing is read or written through it afterwards.
     *
     * @param qp the queue pair
     * @throws VerbsException if the driver refuses
     */
    public void destroyQp(MemorySegment qp) throws VerbsException {
        free(destroyQp, qp, "ibv_destroy_qp");
    }
}
