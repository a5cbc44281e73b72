package io.weft.engine.internal;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** This host's name, for people. */
final class HostName {
    private HostName() {}

    static String get() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            return "localhost";
        }
    }
}
