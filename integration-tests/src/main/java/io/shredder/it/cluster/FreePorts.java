// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Loopback ports that nobody listened on a moment ago, for daemons that can't be asked which port they took.
 *
 * <p>They lie below the range from which Linux gives ports to outgoing connections and to whoever asks for any port: a
 * port from that range may be given away again before the daemon takes it.
 */
final class FreePorts {
    private static final int LOWEST = 10_240;
    private static final int LOWEST_GIVEN_AWAY = 32_768; // ip_local_port_range's default
    private static final int ATTEMPTS = 1_000;

    private final Deque<Integer> ports;

    private FreePorts(Deque<Integer> ports) {
        this.ports = ports;
    }

    /** Finds that many different ports; all are held at once while looking, so none comes twice. */
    static FreePorts find(int count) throws IOException {
        var sockets = new ArrayList<ServerSocket>();
        var ports = new ArrayDeque<Integer>();
        try {
            for (int attempt = 0; ports.size() < count && attempt < ATTEMPTS; attempt++) {
                int port = ThreadLocalRandom.current().nextInt(LOWEST, LOWEST_GIVEN_AWAY);
                ServerSocket socket = tryListen(port);
                if (socket != null) {
                    sockets.add(socket);
                    ports.add(port);
                }
            }
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
        if (ports.size() < count) {
            throw new IOException("no " + count + " free loopback ports from " + LOWEST + " to " + LOWEST_GIVEN_AWAY);
        }
        return new FreePorts(ports);
    }

    private static @Nullable ServerSocket tryListen(int port) {
        try {
            return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            return null;
        }
    }

    /** The next port as {@code 127.0.0.1:port}. */
    String nextAddress() {
        return "127.0.0.1:" + ports.remove();
    }
}
