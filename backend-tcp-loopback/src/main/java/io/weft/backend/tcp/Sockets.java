package io.weft.backend.tcp;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

/** Sockets as this backend wants them. */
final class Sockets {
    private Sockets() {}

    /** Makes a socket for dialling, bound to the engine's own address where that is a local one of the right family. */
    static SocketChannel dialling(TcpSettings settings, InetAddress own, InetAddress peer) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            configure(channel, settings);
            if (own.getClass() == peer.getClass()) {
                try {
                    channel.bind(new InetSocketAddress(own, 0));
                } catch (BindException behindNat) {
                    // The advertised address is not one of this host's; the kernel chooses.
                }
            }
            return channel;
        } catch (IOException | RuntimeException failed) {
            closeQuietly(channel);
            throw failed;
        }
    }

    /** Sets the options of a socket that was dialled or accepted. */
    static void configure(SocketChannel channel, TcpSettings settings) throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, settings.keepAlive());
        if (settings.sendBuffer() > 0) {
            channel.setOption(StandardSocketOptions.SO_SNDBUF, settings.sendBuffer());
        }
        if (settings.receiveBuffer() > 0) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, settings.receiveBuffer());
        }
    }

    static void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException alreadyDead) {
            // Closing is all that was wanted.
        }
    }
}
