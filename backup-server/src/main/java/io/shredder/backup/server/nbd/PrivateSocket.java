// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.nbd;

import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A Unix socket that its owner alone may connect to, at no moment anybody else; its file is removed in the end. */
final class PrivateSocket implements Closeable {

    /** The kernel takes no longer path, of any socket. */
    private static final int MOST_PATH_BYTES = 107;

    private final Path path;
    private final ServerSocketChannel listening;

    private PrivateSocket(Path path, ServerSocketChannel listening) {
        this.path = path;
        this.listening = listening;
    }

    /**
     * Listens at a path, at which there is nothing yet, or a socket that nobody listens at any more.
     *
     * @throws FileAlreadyExistsException if anything else is there
     */
    static PrivateSocket listen(Path path) throws IOException {
        Path absolute = path.toAbsolutePath();
        Path folder = absolute.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new IOException("there is no folder for the socket " + path + ": make it, or name another --socket");
        }
        if (absolute.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8).length > MOST_PATH_BYTES) {
            throw new IOException("the path of socket " + path + " is longer than " + MOST_PATH_BYTES
                    + " bytes: name a shorter --socket");
        }
        removeLeftOver(absolute);
        // It is made where nobody else comes, and moved to its place when its permissions are right.
        Path secret = Files.createTempDirectory(
                folder, ".nbd", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        Path made = secret.resolve("s");
        try {
            listening.bind(UnixDomainSocketAddress.of(made));
            Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rw-------"));
            Files.move(made, absolute);
            return new PrivateSocket(absolute, listening);
        } catch (IOException | RuntimeException e) {
            listening.close();
            Files.deleteIfExists(made);
            throw new IOException("can't listen at socket " + path + ": " + e.getMessage(), e);
        } finally {
            Files.deleteIfExists(secret);
        }
    }

    /** A process that was killed leaves its socket's file, to which nobody can connect. */
    private static void removeLeftOver(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        boolean isSocket = Files.readAttributes(
                        path, java.nio.file.attribute.BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .isOther();
        if (!isSocket) {
            throw new FileAlreadyExistsException(path.toString());
        }
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            probe.connect(UnixDomainSocketAddress.of(path));
        } catch (IOException e) {
            Files.deleteIfExists(path);
            return;
        }
        throw new IOException("somebody listens at socket " + path + " already: end that, or name another --socket");
    }

    ServerSocketChannel channel() {
        return listening;
    }

    @Override
    public void close() throws IOException {
        listening.close();
        Files.deleteIfExists(path);
    }
}
