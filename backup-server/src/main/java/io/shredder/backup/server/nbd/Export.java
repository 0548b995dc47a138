// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.nbd;

import io.shredder.backup.server.reader.SnapshotReader;
import io.shredder.backup.wire.HostPort;
import java.io.Closeable;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * A snapshot, or a volume that may be written, as a block device for other programs, as long as it is open: at a Unix
 * socket of this user alone, or at an address. What is served stays the caller's, who closes it behind this. Safe for
 * several threads.
 */
public final class Export implements Closeable {

    private final NbdServer server;
    private final String uri;
    private final Closeable socket;

    private Export(NbdServer server, String uri, Closeable socket) {
        this.server = server;
        this.uri = uri;
        this.socket = socket;
    }

    /** Serves at a Unix socket that is made here, mode 0600, and removed by {@link #close}. */
    public static Export open(SnapshotReader reader, Path socket) throws IOException {
        return open(new SnapshotVolume(reader), socket);
    }

    /** The same of any volume. */
    public static Export open(NbdVolume volume, Path socket) throws IOException {
        PrivateSocket made = PrivateSocket.listen(socket);
        NbdServer server = new NbdServer(made.channel(), volume, NbdAccess.ofSocket());
        String uri = "nbd+unix:///" + encoded(server.exportName()) + "?socket="
                + encoded(socket.toAbsolutePath().toString());
        return new Export(server, uri, made);
    }

    /** Serves at an address. */
    public static Export open(NbdVolume volume, HostPort address, NbdAccess access) throws IOException {
        NbdServer server = NbdServer.listen(address.address(), volume, access);
        String host = address.host();
        String uri = (access.tls().isPresent() ? "nbds://" : "nbd://")
                + (host.contains(":") ? "[" + host + "]" : host) + ":" + server.port() + "/"
                + encoded(server.exportName());
        return new Export(server, uri, () -> {});
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/")
                .replace("%40", "@");
    }

    /** What names it to NBD clients: {@code nbdinfo}, {@code nbdcopy}, {@code qemu-img}, {@code guestfish}. */
    public String uri() {
        return uri;
    }

    /** What it is called, beside being the default export of its socket. */
    public String name() {
        return server.exportName();
    }

    /** Waits until it is to end; see {@link NbdServer#awaitEnd}. */
    public void awaitEnd(boolean once, Optional<Duration> idle) throws InterruptedException {
        server.awaitEnd(once, idle);
    }

    /** Waits until there is no client, or it is closed. */
    public void awaitNobody() throws InterruptedException {
        server.awaitNobody();
    }

    @Override
    public void close() throws IOException {
        try (socket) {
            server.close();
        }
    }
}
