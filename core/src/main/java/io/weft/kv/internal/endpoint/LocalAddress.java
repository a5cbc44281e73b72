package io.weft.kv.internal.endpoint;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.List;
import java.util.Optional;

/** Finds the address under which this host tells others to reach it, in the original's order. */
public final class LocalAddress {
    private static final List<InetSocketAddress> OUTSIDE =
            List.of(new InetSocketAddress("8.8.8.8", 80), new InetSocketAddress("2001:4860:4860::8888", 80));

    private LocalAddress() {}

    /**
     * Finds the address.
     *
     * @param configured a configured address, empty for none
     * @param nic name of a network interface to take it from, empty for none
     * @return a numeric address
     * @throws WeftException INVALID_ARGUMENT for an interface without a usable address; UNREACHABLE if none is found
     */
    public static String find(String configured, String nic) {
        if (!configured.isEmpty()) {
            return configured;
        }
        if (!nic.isEmpty()) {
            return ofInterface(nic);
        }
        return OUTSIDE.stream()
                .flatMap(target -> towards(target).stream())
                .findFirst()
                .or(LocalAddress::ofHostName)
                .orElseThrow(() -> new WeftException(
                        ErrorCode.UNREACHABLE,
                        "find an address of this host: no route outside and the host name resolves to loopback only; "
                                + "set weft.kv.host (or SGLANG_HOST_IP)"));
    }

    private static String ofInterface(String nic) {
        try {
            NetworkInterface found = NetworkInterface.getByName(nic);
            if (found != null) {
                List<InetAddress> addresses = found.inetAddresses()
                        .filter(a -> !a.isLoopbackAddress() && !a.isAnyLocalAddress() && !a.isLinkLocalAddress())
                        .toList();
                Optional<InetAddress> best = addresses.stream()
                        .filter(Inet4Address.class::isInstance)
                        .findFirst()
                        .or(() -> addresses.stream().findFirst());
                if (best.isPresent()) {
                    return best.get().getHostAddress();
                }
            }
        } catch (IOException unreadable) {
            throw new WeftException(
                    ErrorCode.INVALID_ARGUMENT, "read the addresses of network interface " + nic, unreadable);
        }
        throw new WeftException(
                ErrorCode.INVALID_ARGUMENT,
                "network interface " + nic + " (weft.kv.nic or SGLANG_LOCAL_IP_NIC) has no usable address");
    }

    /** Connecting a datagram socket sends nothing and tells which of our addresses a route uses. */
    private static Optional<String> towards(InetSocketAddress target) {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(target);
            InetAddress local = socket.getLocalAddress();
            return local.isAnyLocalAddress() ? Optional.empty() : Optional.of(local.getHostAddress());
        } catch (IOException | RuntimeException noRoute) {
            return Optional.empty();
        }
    }

    private static Optional<String> ofHostName() {
        try {
            InetAddress local = InetAddress.getLocalHost();
            return local.isLoopbackAddress() ? Optional.empty() : Optional.of(local.getHostAddress());
        } catch (IOException unknown) {
            return Optional.empty();
        }
    }
}
