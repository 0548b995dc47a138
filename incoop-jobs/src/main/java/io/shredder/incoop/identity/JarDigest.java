// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Optional;

/**
 * SHA-256 of a jar's length and central directory, which holds each entry's name, length and CRC-32: what tells two jars apart
 * without reading them whole. The structures are those of PKWARE's APPNOTE.TXT, sections 4.3.12 to 4.3.16; a class loader
 * finds the directory in the same way, so whatever stands before the first entry (a script that starts the jar) is no hindrance.
 */
final class JarDigest {

    private static final int END_SIGNATURE = 0x06054b50;
    private static final int END_BYTES = 22;
    private static final int LONGEST_COMMENT = 0xffff;
    private static final int LOCATOR_SIGNATURE = 0x07064b50;
    private static final int LOCATOR_BYTES = 20;
    private static final int END64_SIGNATURE = 0x06064b50;
    private static final int END64_BYTES = 56;
    private static final long IN_END64 = 0xffffffffL;
    private static final int ENTRY_SIGNATURE = 0x02014b50;

    private JarDigest() {}

    /**
     * The digest of a jar; empty if the file is none, or is damaged.
     *
     * @throws IOException if it can't be read
     */
    static Optional<Fingerprint> of(Path jar) throws IOException {
        try (SeekableByteChannel file = FileChannel.open(jar)) {
            Optional<ByteBuffer> directory = centralDirectory(file);
            if (directory.isEmpty()) {
                return Optional.empty();
            }
            MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
            digest.update(ByteBuffer.allocate(Long.BYTES).putLong(file.size()).flip());
            digest.update(directory.get());
            return Optional.of(Fingerprint.of(digest.digest()));
        }
    }

    /** Whether a file is called a jar or zip, and so can be expected to have a central directory. */
    static boolean isNamed(Path file) {
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        return (name.endsWith(".jar") || name.endsWith(".zip")) && Files.isRegularFile(file);
    }

    private static Optional<ByteBuffer> centralDirectory(SeekableByteChannel file) throws IOException {
        long tailFrom = Math.max(0, file.size() - LOCATOR_BYTES - END_BYTES - LONGEST_COMMENT);
        // Hardly any jar has a comment: its end lies in the last bytes.
        long shortFrom = Math.max(0, file.size() - LOCATOR_BYTES - END_BYTES);
        Optional<ByteBuffer> directory = directoryBefore(file, shortFrom);
        return directory.isPresent() || shortFrom == tailFrom ? directory : directoryBefore(file, tailFrom);
    }

    /** Looks for the end record from the back, as its comment may hold anything. */
    private static Optional<ByteBuffer> directoryBefore(SeekableByteChannel file, long tailFrom) throws IOException {
        ByteBuffer tail = read(file, tailFrom, (int) (file.size() - tailFrom));
        for (int at = tail.limit() - END_BYTES; at >= 0; at--) {
            boolean fits = tail.getInt(at) == END_SIGNATURE
                    && at + END_BYTES + Short.toUnsignedInt(tail.getShort(at + 20)) == tail.limit();
            if (fits) {
                return directory(file, tail, at, tailFrom + at);
            }
        }
        return Optional.empty();
    }

    private static Optional<ByteBuffer> directory(SeekableByteChannel file, ByteBuffer tail, int at, long endAt)
            throws IOException {
        long bytes = Integer.toUnsignedLong(tail.getInt(at + 12));
        long offset = Integer.toUnsignedLong(tail.getInt(at + 16));
        int entries = Short.toUnsignedInt(tail.getShort(at + 10));
        long directoryEnd = endAt;
        int locatorAt = at - LOCATOR_BYTES;
        boolean large = bytes == IN_END64 || offset == IN_END64 || entries == 0xffff;
        if (large && locatorAt >= 0 && tail.getInt(locatorAt) == LOCATOR_SIGNATURE) {
            directoryEnd = tail.getLong(locatorAt + 8);
            if (directoryEnd < 0 || directoryEnd > file.size() - END64_BYTES) {
                return Optional.empty();
            }
            ByteBuffer end64 = read(file, directoryEnd, END64_BYTES);
            if (end64.getInt(0) != END64_SIGNATURE) {
                return Optional.empty();
            }
            bytes = end64.getLong(40);
        }
        if (bytes < 0 || bytes > directoryEnd || bytes > Integer.MAX_VALUE - 8) {
            return Optional.empty();
        }
        ByteBuffer directory = read(file, directoryEnd - bytes, (int) bytes);
        return bytes == 0 || (bytes >= 4 && directory.getInt(0) == ENTRY_SIGNATURE)
                ? Optional.of(directory)
                : Optional.empty();
    }

    private static ByteBuffer read(SeekableByteChannel file, long from, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        file.position(from);
        while (buffer.hasRemaining()) {
            if (file.read(buffer) < 0) {
                throw new IOException("ends while it is read");
            }
        }
        return buffer.flip();
    }
}
