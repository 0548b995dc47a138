// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.machine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/**
 * A server in the machine answers. QEMU's router takes a connection before the machine does, so one byte from the
 * server is the sign: its greeting, or its answer to an empty line.
 */
final class PortSign implements LifeSign {

    private static final int PATIENCE_MS = 2_000;

    private final int port;
    private final int hostPort;

    PortSign(int port, int hostPort) {
        this.port = port;
        this.hostPort = hostPort;
    }

    @Override
    public String text() {
        return "an answer on port " + port;
    }

    @Override
    public boolean isSeen() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), hostPort), PATIENCE_MS);
            socket.setSoTimeout(PATIENCE_MS);
            try {
                return socket.getInputStream().read() >= 0;
            } catch (SocketTimeoutException e) {
                socket.getOutputStream().write("\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                return socket.getInputStream().read() >= 0;
            }
        } catch (IOException e) {
            return false;
        }
    }
}
