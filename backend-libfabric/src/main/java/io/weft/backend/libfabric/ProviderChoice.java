package io.weft.backend.libfabric;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import io.weft.backend.libfabric.ofi.Fi;
import io.weft.backend.libfabric.ofi.InfoQuery;
import io.weft.backend.libfabric.ofi.Ofi;
import io.weft.backend.libfabric.ofi.OfiException;
import io.weft.backend.libfabric.ofi.OfiInfo;
import io.weft.spi.OptionValues;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Chooses a provider: the one named by option, else the first of {@link ProviderTraits#ORDER} that answers and opens. */
final class ProviderChoice {
    /** Every mode of registration that {@link Region} and {@link TargetEndpoints} honour. */
    static final int MR_MODES =
            Fi.MR_LOCAL | Fi.MR_RAW | Fi.MR_VIRT_ADDR | Fi.MR_ALLOCATED | Fi.MR_PROV_KEY | Fi.MR_ENDPOINT | Fi.MR_HMEM;

    /** Providers whose endpoints are bound to the engine's own IP address. */
    private static final List<String> BY_IP = List.of("tcp", "net", "sockets", "udp", "verbs");

    private ProviderChoice() {}

    /** Looks for device memory first if it is wanted; without it rather than with none of the providers. */
    static OpenedFabric open(OptionValues options, String host, boolean hmem) {
        OfiLoader.Loaded loaded = OfiLoader.load(options.string(LibfabricOptions.LIBRARY));
        Ofi ofi = loaded.ofi()
                .orElseThrow(() -> new WeftException(
                        ErrorCode.UNSUPPORTED,
                        "libfabric: " + OfiLoader.SONAME + " cannot be loaded: "
                                + String.join("; ", loaded.evidence())));
        String wanted = options.string(LibfabricOptions.PROVIDER);
        List<String> order = wanted.isEmpty() ? ProviderTraits.ORDER : List.of(wanted);
        List<String> tried = new ArrayList<>();
        for (String provider : order) {
            for (boolean withDevices : hmem ? new boolean[] {true, false} : new boolean[] {false}) {
                try {
                    OfiInfo info = find(ofi, options, provider, host, withDevices);
                    if (info != null) {
                        return open(ofi, info);
                    }
                    tried.add(provider + ": nothing fits");
                } catch (OfiException failed) {
                    tried.add(provider + ": " + failed.getMessage());
                }
            }
        }
        throw new WeftException(
                ErrorCode.UNSUPPORTED,
                "libfabric " + Ofi.text(ofi.runtimeVersion()) + ": no provider could be opened for " + host + ": "
                        + String.join("; ", tried) + "; fi_info -c FI_RMA -t FI_EP_RDM lists what there is");
    }

    private static OpenedFabric open(Ofi ofi, OfiInfo info) throws OfiException {
        try {
            OpenedFabric fabric = OpenedFabric.open(ofi, info);
            if (fabric.traits().isShm()) {
                ShmSegments.ofThisHost().sweep();
            }
            return fabric;
        } catch (OfiException failed) {
            info.close();
            throw failed;
        }
    }

    /** Network hardware has no loopback address: an engine that listens there takes the device's own, which peers are told. */
    private static @Nullable OfiInfo find(Ofi ofi, OptionValues options, String provider, String host, boolean hmem)
            throws OfiException {
        String core = provider.contains(";") ? provider.substring(0, provider.indexOf(';')) : provider;
        boolean anywhere =
                !BY_IP.contains(core) || core.equals("verbs") && (host.startsWith("127.") || host.equals("::1"));
        InfoQuery query = new InfoQuery(
                provider,
                options.string(LibfabricOptions.FABRIC),
                options.string(LibfabricOptions.DOMAIN),
                anywhere ? "" : host,
                MR_MODES,
                hmem);
        List<OfiInfo> first = new ArrayList<>(1);
        ofi.getInfo(query, (facts, info) -> {
            if (first.isEmpty() && facts.threadSafe()) {
                first.add(ofi.keep(info));
            }
        });
        return first.isEmpty() ? null : first.getFirst();
    }
}
