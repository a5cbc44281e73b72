package io.weft.backend.rdma;

import io.weft.backend.rdma.verbs.DeviceFacts;
import io.weft.backend.rdma.verbs.PortFacts;
import io.weft.backend.rdma.verbs.Verbs;
import io.weft.backend.rdma.verbs.VerbsException;
import io.weft.ffi.Errno;
import io.weft.ffi.LibrarySearch;
import io.weft.ffi.MissingSymbolException;
import io.weft.ffi.NativeLibrary;
import io.weft.spi.Availability;
import io.weft.spi.Device;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds out whether verbs work on this host, and says which library, device or permission is missing if not. */
final class RdmaProbe {
    static final String SONAME = "libibverbs.so.1";
    private static final List<String> DIRECTORIES = List.of(
            "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib");
    private static final String INSTALL =
            "install it: apt-get install libibverbs1 ibverbs-providers (Debian, Ubuntu) or dnf install libibverbs (Fedora, RHEL);"
                    + " or set weft.backend.rdma.library";

    private final Sysfs sysfs;
    private final String explicitLibrary;
    private final List<String> evidence = new ArrayList<>();
    private final List<Device> devices = new ArrayList<>();
    private boolean active;
    private String openFailure = "";
    private boolean forbidden;

    RdmaProbe(Sysfs sysfs, String explicitLibrary) {
        this.sysfs = sysfs;
        this.explicitLibrary = explicitLibrary;
    }

    static LibrarySearch search(String explicitLibrary) {
        return LibrarySearch.forLibrary(explicitLibrary, SONAME, DIRECTORIES);
    }

    Availability run() {
        LibrarySearch.Result found = search(explicitLibrary).run();
        evidence.addAll(found.lines());
        if (found.library().isEmpty()) {
            return no(
                    "library " + SONAME + " cannot be loaded: "
                            + found.attempts().getFirst(),
                    INSTALL);
        }
        NativeLibrary library = found.library().get();
        evidence.add("library " + library.path() + ", version " + library.fileVersion());
        addHostFacts();
        try {
            Verbs verbs = new Verbs(library);
            List<String> names = verbs.devices((device, name) -> look(verbs, device, name));
            return verdict(names);
        } catch (MissingSymbolException tooOld) {
            return no(tooOld.getMessage(), "install libibverbs1 of rdma-core 28 or newer");
        } catch (VerbsException noList) {
            evidence.add(noList.getMessage());
            return no("the kernel offers no RDMA: " + noList.getMessage(), noDeviceRemedy());
        }
    }

    private void addHostFacts() {
        List<String> kernel = sysfs.devices();
        evidence.add("devices in /sys/class/infiniband: " + (kernel.isEmpty() ? "none" : String.join(", ", kernel)));
        List<String> files = sysfs.uverbsFiles();
        evidence.addAll(files.isEmpty() ? List.of("no /dev/infiniband/uverbs* files") : files);
        long locked = sysfs.lockedMemoryLimit();
        evidence.add("locked memory limit: " + (locked < 0 ? "unlimited" : locked + " bytes"));
    }

    private void look(Verbs verbs, MemorySegment device, String name) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("pci", sysfs.pciAddress(name));
        attributes.put("numa", Integer.toString(sysfs.numaNode(name)));
        try {
            MemorySegment context = verbs.open(device, name);
            try {
                DeviceFacts facts = verbs.queryDevice(context, name);
                attributes.put("firmware", facts.firmware());
                attributes.put("ports", Integer.toString(facts.ports()));
                for (int port = 1; port <= facts.ports(); port++) {
                    PortFacts state = verbs.queryPort(context, name, port);
                    active |= state.isActive();
                    attributes.put(
                            "port" + port,
                            state.stateName() + (state.ethernet() ? " Ethernet" : " InfiniBand") + " mtu "
                                    + state.mtuBytes() + ", " + state.gids() + " gids");
                    evidence.add(name + " port " + port + ": " + state.stateName());
                }
            } finally {
                verbs.close(context);
            }
        } catch (VerbsException failed) {
            forbidden |= failed.errno() == Errno.EACCES || failed.errno() == Errno.EPERM;
            openFailure = failed.getMessage();
            attributes.put("error", failed.getMessage());
            evidence.add(failed.getMessage());
        }
        devices.add(new Device(name, attributes));
    }

    private Availability verdict(List<String> names) {
        if (active) {
            return Availability.usable(devices).withEvidence(evidence);
        }
        if (names.isEmpty()) {
            List<String> kernel = sysfs.devices();
            return kernel.isEmpty()
                    ? no("no RDMA device: " + SONAME + " is there, the kernel lists no device", noDeviceRemedy())
                    : no(
                            "no driver in user space for " + String.join(", ", kernel),
                            "install the drivers: apt-get install ibverbs-providers");
        }
        if (!openFailure.isEmpty()) {
            return no(
                    openFailure,
                    forbidden
                            ? "give this user read and write permission to /dev/infiniband/uverbs*"
                            : "see the device's error; dmesg may say more");
        }
        return no(
                "no active port on " + String.join(", ", names),
                "bring the link up (ip link set DEV up) and see ibv_devinfo for the port's state");
    }

    private static String noDeviceRemedy() {
        return "plug or enable a NIC and load its driver; for tests without one: modprobe rdma_rxe;"
                + " rdma link add rxe0 type rxe netdev DEV";
    }

    private Availability no(String reason, String remedy) {
        return Availability.unusable(reason, remedy).withDevices(devices).withEvidence(evidence);
    }
}
