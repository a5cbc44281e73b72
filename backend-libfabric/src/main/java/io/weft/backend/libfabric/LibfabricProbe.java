package io.weft.backend.libfabric;

import io.weft.backend.libfabric.ofi.FabricFacts;
import io.weft.backend.libfabric.ofi.InfoQuery;
import io.weft.backend.libfabric.ofi.Ofi;
import io.weft.backend.libfabric.ofi.OfiException;
import io.weft.ffi.MissingSymbolException;
import io.weft.ffi.SignalHandlers;
import io.weft.spi.Availability;
import io.weft.spi.Device;
import io.weft.spi.OptionValues;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds out which libfabric providers this host has, and says which library or provider is missing if none fits. */
final class LibfabricProbe {
    private static final String INSTALL =
            "install it: apt-get install libfabric1 (Debian, Ubuntu) or dnf install libfabric (Fedora, RHEL), or the NIC"
                    + " vendor's package; or set weft.backend.libfabric.library";

    private final OptionValues options;
    private final List<String> evidence = new ArrayList<>();
    private final List<Device> devices = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();

    LibfabricProbe(OptionValues options) {
        this.options = options;
    }

    Availability run() {
        try {
            OfiLoader.Loaded loaded = OfiLoader.load(options.string(LibfabricOptions.LIBRARY));
            evidence.addAll(loaded.evidence());
            if (loaded.ofi().isEmpty()) {
                return no("library " + OfiLoader.SONAME + " cannot be loaded: " + loaded.firstFailure(), INSTALL);
            }
            return ask(loaded.ofi().get());
        } catch (MissingSymbolException notLibfabric) {
            return no(notLibfabric.getMessage(), "install libfabric 1.17 or newer");
        }
    }

    private Availability ask(Ofi ofi) {
        if (ofi.runtimeVersion() < Ofi.FLOOR) {
            return no(
                    "libfabric " + Ofi.text(ofi.runtimeVersion()) + " at "
                            + ofi.library().path() + " is too old",
                    "install libfabric " + Ofi.text(Ofi.FLOOR) + " or newer");
        }
        InfoQuery query = new InfoQuery(
                options.string(LibfabricOptions.PROVIDER),
                options.string(LibfabricOptions.FABRIC),
                options.string(LibfabricOptions.DOMAIN),
                "",
                ProviderChoice.MR_MODES,
                false);
        SignalHandlers before = SignalHandlers.now();
        try {
            ofi.getInfo(query, (facts, info) -> add(facts));
        } catch (OfiException nothing) {
            evidence.add(nothing.getMessage());
            return no(
                    "libfabric " + Ofi.text(ofi.runtimeVersion()) + " has nothing that fits: " + nothing.getMessage(),
                    "see fi_info -c FI_RMA -t FI_EP_RDM; change weft.backend.libfabric.provider, fabric or domain, or install"
                            + " the provider");
        } finally {
            // Providers are loaded by the first fi_getinfo and have constructors of their own.
            evidence.addAll(before.restore());
        }
        return Availability.usable(devices).withEvidence(evidence);
    }

    private void add(FabricFacts facts) {
        String name = facts.provider() + ":" + facts.domain();
        if (!seen.add(name + ":" + facts.fabric())) {
            return;
        }
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("provider", facts.provider());
        attributes.put("fabric", facts.fabric());
        attributes.put("domain", facts.domain());
        attributes.put("version", Ofi.text(facts.providerVersion()));
        attributes.put("mr-mode", "0x" + Integer.toHexString(facts.mrMode()));
        attributes.put("progress", facts.autoProgress() ? "auto" : "manual");
        attributes.put("iov", facts.iovLimit() + "/" + facts.rmaIovLimit());
        attributes.put("key-bytes", Long.toString(facts.mrKeyBytes()));
        devices.add(new Device(name, attributes));
    }

    private Availability no(String reason, String remedy) {
        return Availability.unusable(reason, remedy).withDevices(devices).withEvidence(evidence);
    }
}
