package io.weft.backend.libfabric;

import io.weft.backend.libfabric.ofi.Ofi;
import io.weft.ffi.LibrarySearch;
import io.weft.ffi.ProcessEnvironment;
import io.weft.ffi.SignalHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Loads libfabric without losing the virtual machine's signal handlers. Debian 12's library pulls in one of an old fabric whose
 * constructor takes SIGSEGV, SIGBUS, SIGILL, SIGTERM and SIGINT unless a variable is set beforehand; the JVM would die at
 * its next safepoint.
 */
final class OfiLoader {
    static final String SONAME = "libfabric.so.1";
    /**
     * Makes connections of verbs;ofi_rxm share one receive context. Without it each has its own, and 1.17 takes it for granted
     * when it closes a connection that was cut off before it got one: the process dies of SIGSEGV in {@code rxm_close_conn}. tcp;ofi_rxm
     * shares by default.
     */
    static final String SHARED_RECEIVE = "FI_OFI_RXM_USE_SRX";

    /** Where the vendors of EFA, Slingshot and Omni-Path put theirs. */
    private static final List<String> DIRECTORIES = List.of(
            "/opt/amazon/efa/lib64",
            "/opt/amazon/efa/lib",
            "/opt/cray/libfabric/lib64",
            "/usr/lib/x86_64-linux-gnu",
            "/usr/lib/aarch64-linux-gnu",
            "/usr/lib64",
            "/usr/local/lib");

    private OfiLoader() {}

    /**
     * What came of loading.
     *
     * @param ofi the bound library
     * @param firstFailure why the first place failed, empty if the library was loaded
     * @param evidence what was tried and found
     */
    record Loaded(Optional<Ofi> ofi, String firstFailure, List<String> evidence) {}

    static Loaded load(String explicit) {
        SignalHandlers before = SignalHandlers.now();
        ProcessEnvironment.setIfAbsent("IPATH_NO_BACKTRACE", "1");
        ProcessEnvironment.setIfAbsent("FI_SHM_DISABLE_CMA", "1");
        ProcessEnvironment.setIfAbsent(SHARED_RECEIVE, "1");
        LibrarySearch.Result found =
                LibrarySearch.forLibrary(explicit, SONAME, DIRECTORIES).run();
        List<String> evidence = new ArrayList<>(found.lines());
        evidence.addAll(before.restore());
        if (found.library().isEmpty()) {
            return new Loaded(Optional.empty(), found.attempts().getFirst().toString(), evidence);
        }
        Ofi ofi = new Ofi(found.library().get());
        evidence.add("library " + ofi.library().path() + ", version " + Ofi.text(ofi.runtimeVersion())
                + ", API asked for " + Ofi.text(ofi.apiVersion()));
        return new Loaded(Optional.of(ofi), "", evidence);
    }
}
