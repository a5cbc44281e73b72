package io.weft.engine.internal.control.socket;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which addresses are bound, shown and dialled. */
final class Addresses {
    private Addresses() {}

    static InetAddress resolve(String option, String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException unknown) {
            throw new WeftException(
                    ErrorCode.INVALID_ARGUMENT,
                    option + "=" + host + " is no address or known name of this machine; give a numeric address",
                    unknown);
        }
    }

    /**
     * What peers are told to dial.
     *
     * @param configured the option's value; null to derive it
     * @param bound where this engine listens
     * @return a numeric address, never a wildcard
     */
    static String advertised(@Nullable String configured, InetAddress bound) {
        if (configured != null) {
            InetAddress address = resolve("advertise.host", configured);
            if (address.isAnyLocalAddress()) {
                throw new WeftException(
                        ErrorCode.INVALID_ARGUMENT,
                        "advertise.host=" + configured
                                + " is a wildcard, which nobody can dial; give an address of this machine");
            }
            return numeric(address);
        }
        return numeric(bound.isAnyLocalAddress() ? reachable(bound) : bound);
    }

    /** Numeric, without a scope, which means nothing elsewhere. */
    static String numeric(InetAddress address) {
        String text = address.getHostAddress();
        int scope = text.indexOf('%');
        return scope < 0 ? text : text.substring(0, scope);
    }

    static String display(InetSocketAddress a) {
        return a.getAddress() instanceof Inet4Address || a.getAddress() == null
                ? a.getHostString() + ":" + a.getPort()
                : "[" + numeric(a.getAddress()) + "]:" + a.getPort();
    }

    /**
     * Reads a descriptor's host; looks no name up, since that may block and mean something else elsewhere.
     *
     * @throws IllegalArgumentException if it is not numeric
     */
    static InetAddress numeric(String host) {
        return InetAddress.ofLiteral(host);
    }

    /** The first address of the lowest interface that other hosts may reach, IPv4 first; loopback if there is none. */
    private static InetAddress reachable(InetAddress wildcard) {
        try (Stream<NetworkInterface> interfaces = NetworkInterface.networkInterfaces()) {
            boolean onlyIpv4 = wildcard instanceof Inet4Address;
            return interfaces
                    .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
                    .filter(Addresses::isUp)
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(a -> !a.isLoopbackAddress() && !a.isLinkLocalAddress() && !a.isMulticastAddress())
                    .filter(a -> !onlyIpv4 || a instanceof Inet4Address)
                    .min(Comparator.comparingInt(a -> a instanceof Inet4Address ? 0 : 1))
                    .orElseGet(InetAddress::getLoopbackAddress);
        } catch (SocketException unreadable) {
            return InetAddress.getLoopbackAddress();
        }
    }

    private static boolean isUp(NetworkInterface card) {
        try {
            return card.isUp() && !card.isLoopback();
        } catch (IOException gone) {
            return false;
        }
    }
}
