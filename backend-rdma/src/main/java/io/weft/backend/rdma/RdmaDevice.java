package io.weft.backend.rdma;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.backend.rdma.verbs.DataPath;
import io.weft.backend.rdma.verbs.DeviceFacts;
import io.weft.backend.rdma.verbs.Ibv;
import io.weft.backend.rdma.verbs.PortFacts;
import io.weft.backend.rdma.verbs.Verbs;
import io.weft.backend.rdma.verbs.VerbsException;
import io.weft.ffi.LibrarySearch;
import io.weft.ffi.NativeLibrary;
import io.weft.spi.OptionValues;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The opened device that a backend works on. Immutable; safe from any thread; closed last.
 *
 * @param name the device
 * @param verbs for closing it
 * @param ibv its verbs
 * @param path its inlined verbs
 * @param context the open device
 * @param pd its protection domain
 * @param channel its completion channel
 * @param facts its limits
 * @param port the port in use
 * @param gidIndex the GID in use
 * @param gid its bytes
 */
record RdmaDevice(
        String name,
        Verbs verbs,
        Ibv ibv,
        DataPath path,
        MemorySegment context,
        MemorySegment pd,
        MemorySegment channel,
        DeviceFacts facts,
        PortFacts port,
        int gidIndex,
        byte[] gid) {
    static RdmaDevice open(OptionValues options, Sysfs sysfs) {
        LibrarySearch.Result found =
                RdmaProbe.search(options.string(RdmaOptions.LIBRARY)).run();
        NativeLibrary library = found.library()
                .orElseThrow(() -> new WeftException(
                        ErrorCode.UNSUPPORTED,
                        "rdma: " + RdmaProbe.SONAME + " cannot be loaded: " + String.join("; ", found.lines())));
        Verbs verbs = new Verbs(library);
        String wanted = options.string(RdmaOptions.DEVICE);
        List<String> tried = new ArrayList<>();
        List<RdmaDevice> opened = new ArrayList<>(1);
        try {
            for (String candidate : candidates(verbs, options, sysfs, tried)) {
                verbs.devices((device, name) -> {
                    if (opened.isEmpty() && name.equals(candidate)) {
                        RdmaDevice one = tryOpen(verbs, new Ibv(library), device, name, options, sysfs, tried);
                        if (one != null) {
                            opened.add(one);
                        }
                    }
                });
            }
        } catch (VerbsException noList) {
            tried.add(noList.getMessage());
        }
        if (opened.isEmpty()) {
            throw new WeftException(
                    ErrorCode.UNSUPPORTED,
                    "rdma: no device could be opened"
                            + (wanted.isEmpty() ? "" : " with weft.backend.rdma.device " + wanted) + ": "
                            + (tried.isEmpty() ? "none is listed" : String.join("; ", tried)));
        }
        return opened.getFirst();
    }

    /** Those that may be used, in the order in which they are tried. */
    private static List<String> candidates(Verbs verbs, OptionValues options, Sysfs sysfs, List<String> tried)
            throws VerbsException {
        DeviceFilter filter = DeviceFilter.of(options.string(RdmaOptions.DEVICE));
        List<Locality.Place> places = new ArrayList<>();
        verbs.devices((device, name) -> {
            if (filter.accepts(name)) {
                places.add(new Locality.Place(name, sysfs.locality(name)));
            } else {
                tried.add(name + " is left out");
            }
        });
        return Locality.closest(near(options.string(RdmaOptions.NEAR), sysfs), places);
    }

    /** What the option {@code near} names. */
    static Locality near(String text, Sysfs sysfs) {
        if (text.isEmpty()) {
            return Locality.UNKNOWN;
        }
        if (text.matches("numa:[0-9]{1,4}")) {
            return new Locality(List.of(), Integer.parseInt(text.substring("numa:".length())));
        }
        Locality found = sysfs.localityOfPci(text);
        if (found.pci().isEmpty()) {
            throw new WeftException(
                    ErrorCode.INVALID_ARGUMENT,
                    "rdma: weft.backend.rdma.near is " + text
                            + ", must be a PCI address under /sys/bus/pci/devices, such as 0000:41:00.0, or numa:N");
        }
        return found;
    }

    private static @Nullable RdmaDevice tryOpen(
            Verbs verbs,
            Ibv ibv,
            MemorySegment device,
            String name,
            OptionValues options,
            Sysfs sysfs,
            List<String> tried) {
        MemorySegment context;
        try {
            context = verbs.open(device, name);
        } catch (VerbsException refused) {
            tried.add(refused.getMessage());
            return null;
        }
        try {
            DeviceFacts facts = verbs.queryDevice(context, name);
            for (int number = 1; number <= facts.ports(); number++) {
                PortFacts port = verbs.queryPort(context, name, number);
                if (port.isActive()) {
                    int gid = GidChoice.choose(
                            (int) options.integer(RdmaOptions.GID_INDEX), verbs, sysfs, context, name, port);
                    return new RdmaDevice(
                            name,
                            verbs,
                            ibv,
                            new DataPath(context),
                            context,
                            ibv.allocPd(context),
                            ibv.createChannel(context),
                            facts,
                            port,
                            gid,
                            verbs.queryGid(context, name, number, gid));
                }
                tried.add(name + " port " + number + " is " + port.stateName());
            }
        } catch (VerbsException refused) {
            tried.add(refused.getMessage());
        }
        verbs.close(context);
        return null;
    }

    void close() throws VerbsException {
        ibv.destroyChannel(channel);
        ibv.deallocPd(pd);
        verbs.close(context);
    }
}
