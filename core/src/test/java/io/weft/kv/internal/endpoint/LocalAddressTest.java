package io.weft.kv.internal.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.WeftException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class LocalAddressTest {
    @Test
    void aConfiguredAddressIsTakenAsItIs() {
        assertThat(LocalAddress.find("10.1.2.3", "eth9")).isEqualTo("10.1.2.3");
    }

    @Test
    void anInterfaceWithoutAUsableAddressIsRefusedByName() {
        assertThatThrownBy(() -> LocalAddress.find("", "lo"))
                .isInstanceOf(WeftException.class)
                .hasMessageContainingAll("interface lo", "weft.kv.nic");
        assertThatThrownBy(() -> LocalAddress.find("", "no-such-nic")).hasMessageContaining("no-such-nic");
    }

    @Test
    void anInterfacesAddressIsItsOwn() throws Exception {
        Optional<NetworkInterface> nic = NetworkInterface.networkInterfaces()
                .filter(n -> n.inetAddresses().anyMatch(a -> !a.isLoopbackAddress() && !a.isLinkLocalAddress()))
                .findFirst();
        Assumptions.assumeTrue(nic.isPresent(), "this host has no interface beside loopback");
        String found = LocalAddress.find("", nic.orElseThrow().getName());
        assertThat(nic.orElseThrow().inetAddresses().map(InetAddress::getHostAddress))
                .contains(found);
    }
}
