package io.weft.tck.harness;

import io.weft.discovery.Discovery;

/**
 * Where the backend under test is looked for, in every process of a run: the first that {@link java.util.ServiceLoader} finds; the
 * application's own paths if there is none. It is how a command brings its plug-ins in.
 */
public interface BackendFinder {
    /**
     * Looks.
     *
     * @return a discovery that nothing was asked of yet
     */
    Discovery discovery();
}
