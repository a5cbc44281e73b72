package io.weft.kv.wire;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.net.Inet6Address;

/**
 * Host and port of a control endpoint, the one place that knows how IPv6 is written. The host is kept without brackets.
 *
 * <p>Immutable; safe from any thread; never resolves a name.
 *
 * @param host IPv4 or IPv6 literal or a name
 * @param port 0 to 65535
 * @since 0.1
 */
public record NetworkAddress(String host, int port) {
    /**
     * Strips brackets and checks the parts.
     *
     * @throws WeftException INVALID_ARGUMENT for an empty host or a port out of range
     */
    public NetworkAddress {
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        if (host.isEmpty() || port < 0 || port > 65_535) {
            throw invalid(host + ":" + port, "needs a host and a port from 0 to 65535");
        }
    }

    /**
     * Reads {@code host:port} or {@code [ipv6]:port}.
     *
     * @param text the text
     * @return the address
     * @throws WeftException INVALID_ARGUMENT for a missing host or port, or an IPv6 address without brackets
     */
    public static NetworkAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        int bracket = text.lastIndexOf(']');
        if (colon < 0 || colon < bracket) {
            throw invalid(text, "has no port");
        }
        String host = text.substring(0, colon);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        if (host.contains(":") && !bracketed) {
            throw invalid(text, "is IPv6 without brackets; write [address]:port");
        }
        if (!text.substring(colon + 1).matches("[0-9]{1,5}")) {
            throw invalid(text, "has a port that is no number from 0 to 65535");
        }
        return new NetworkAddress(host, Integer.parseInt(text.substring(colon + 1)));
    }

    /**
     * Whether the host is an IPv6 literal.
     *
     * @return false for IPv4 literals and names
     */
    public boolean isIpv6() {
        if (host.indexOf(':') < 0) {
            return false;
        }
        int scope = host.indexOf('%');
        try {
            Inet6Address.ofLiteral(scope < 0 ? host : host.substring(0, scope));
            return true;
        } catch (IllegalArgumentException notAnAddress) {
            return false;
        }
    }

    /**
     * The address as {@code host:port}.
     *
     * @return the text, IPv6 in brackets
     */
    public String hostPort() {
        return (isIpv6() ? "[" + host + "]" : host) + ":" + port;
    }

    /**
     * The address as a ZeroMQ endpoint.
     *
     * @return {@code tcp://host:port}, IPv6 in brackets
     */
    public String tcp() {
        return "tcp://" + hostPort();
    }

    @Override
    public String toString() {
        return hostPort();
    }

    private static WeftException invalid(String text, String why) {
        return new WeftException(ErrorCode.INVALID_ARGUMENT, "network address '" + text + "' " + why);
    }
}
