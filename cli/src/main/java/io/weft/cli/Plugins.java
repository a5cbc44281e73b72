package io.weft.cli;

import io.weft.discovery.Discovery;

/** Where the command looks for backends. */
final class Plugins {
    private Plugins() {}

    static Discovery discovery() {
        return Discovery.ofApplication();
    }
}
