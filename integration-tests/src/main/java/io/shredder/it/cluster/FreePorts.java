// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;

/** Loopback ports that nobody listened on a moment ago, for daemons that can't be asked which port they took. */
final class FreePorts {
    private final Deque<Integer> ports;

    private FreePorts(Deque<Integer> ports) {
        this.ports = ports;
    }

    /** Finds that many different ports; all are held at once while looking, so none comes twice. */
    static FreePorts find(int count) throws IOException {
        var sockets = new ArrayList<ServerSocket>();
        var ports = new ArrayDeque<Integer>();
        try {
            for (int i = 0; i < count; i++) {
                var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                sockets.add(socket);
                ports.add(socket.getLocalPort());
            }
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
        return new FreePorts(ports);
    }

    /** The next port as {@code 127.0.0.1:port}. */
    String nextAddress() {
        return "127.0.0.1:" + ports.remove();
    }
}
