package io.weft.backend.libfabric;

import io.weft.backend.libfabric.ofi.Fi;
import io.weft.backend.libfabric.ofi.Ofi;
import io.weft.backend.libfabric.ofi.OfiCq;
import io.weft.backend.libfabric.ofi.OfiDomain;
import io.weft.backend.libfabric.ofi.OfiException;
import io.weft.backend.libfabric.ofi.OfiFabric;
import io.weft.backend.libfabric.ofi.OfiInfo;

/**
 * The fabric and domain that a backend works in. Immutable; safe from any thread; closed last.
 *
 * @param ofi the library
 * @param info the chosen answer
 * @param fabric its fabric
 * @param domain its domain
 * @param traits what the provider does
 * @param hmem what device memory it moves
 * @param waits whether completion queues have a descriptor to block on
 */
record OpenedFabric(
        Ofi ofi, OfiInfo info, OfiFabric fabric, OfiDomain domain, ProviderTraits traits, Hmem hmem, boolean waits) {
    static OpenedFabric open(Ofi ofi, OfiInfo info) throws OfiException {
        OfiFabric fabric = ofi.openFabric(info);
        try {
            OfiDomain domain = fabric.openDomain(info);
            try {
                boolean waits = hasWaitObject(domain);
                return new OpenedFabric(ofi, info, fabric, domain, new ProviderTraits(info.facts()), new Hmem(), waits);
            } catch (OfiException failed) {
                domain.close();
                throw failed;
            }
        } catch (OfiException failed) {
            fabric.close();
            throw failed;
        }
    }

    private static boolean hasWaitObject(OfiDomain domain) throws OfiException {
        OfiCq probe;
        try {
            probe = domain.openCq(8, Fi.WAIT_FD);
        } catch (OfiException hasNone) {
            return false;
        }
        probe.close();
        return true;
    }

    void close() throws OfiException {
        domain.close();
        fabric.close();
        info.close();
    }
}
