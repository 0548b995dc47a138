// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;

/** A server on the loopback address that tells every caller the bytes of a file, and hangs up: a job's database. */
final class TableServer implements AutoCloseable {
    private final ServerSocket server;
    private volatile Path file;

    private TableServer(ServerSocket server, Path file) {
        this.server = server;
        this.file = file;
    }

    /** A server that runs. */
    static TableServer started() throws IOException {
        var server = new TableServer(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), Path.of(""));
        var thread = new Thread(server::serve, "table-server");
        thread.setDaemon(true);
        thread.start();
        return server;
    }

    int port() {
        return server.getLocalPort();
    }

    /** Serves another file from now on. */
    void serveFrom(Path other) {
        file = other;
    }

    private void serve() {
        while (!server.isClosed()) {
            try (Socket caller = server.accept()) {
                if (Files.isRegularFile(file)) {
                    caller.getOutputStream().write(Files.readAllBytes(file));
                }
            } catch (IOException e) {
                if (!server.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
