package io.weft.cli.doctor;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;

/**
 * Whether the engine could listen where it is told to.
 *
 * @param host the option {@code weft.listen.host}
 * @param port the option {@code weft.listen.port}
 * @param advertised the option {@code weft.advertise.host}
 */
record PortCheck(String host, int port, String advertised) implements Check {
    @Override
    public List<Finding> run(Host ignored) {
        String where = host + ":" + (port == 0 ? "any port" : port);
        try (ServerSocket socket = new ServerSocket()) {
            InetAddress address = InetAddress.getByName(host);
            socket.bind(new InetSocketAddress(address, port));
            String reach = address.isLoopbackAddress() && advertised.isEmpty()
                    ? "; peers on other hosts cannot reach it"
                    : "; a firewall has to let peers in by TCP";
            return List.of(
                    port == 0 && !address.isLoopbackAddress()
                            ? Finding.warning(
                                    "port",
                                    "the engine can listen on " + where + reach,
                                    "set weft.listen.port, so that the firewall's rule can name it")
                            : Finding.ok("port", "the engine can listen on " + where + reach));
        } catch (IOException e) {
            return List.of(
                    Finding.problem(
                            "port",
                            "the engine cannot listen on " + where + ": " + e.getMessage(),
                            "see who has it: ss -ltnp 'sport = :" + port
                                    + "'; or set weft.listen.host to an address of this host, weft.listen.port to a free port or 0"));
        }
    }
}
