// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.file.DurableFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file with the agent's index key: one line of text, readable by its owner alone. Losing it loses nothing that
 * {@code rebuild-index} does not bring back.
 */
public final class IndexKeyFile {

    private static final Pattern LINE = Pattern.compile("shredder-index-key-1 ([0-9a-f]{64})\n");
    private static final int MAX_BYTES = 1024;
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    private IndexKeyFile() {}

    /** Reads the key. The file must exist, and nobody but its owner may have a right to it. */
    public static IndexKey read(Path file) throws IOException {
        for (PosixFilePermission permission : Files.getPosixFilePermissions(file)) {
            if (!permission.name().startsWith("OWNER_")) {
                throw new IOException(
                        "index key " + file + " may be read or written by others than its owner: chmod 600 " + file
                                + ", and rebuild-index with a new key if it may have been copied");
            }
        }
        if (Files.size(file) > MAX_BYTES) {
            throw notAKey(file);
        }
        Matcher line = LINE.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
        if (!line.matches()) {
            throw notAKey(file);
        }
        return IndexKey.of(HexFormat.of().parseHex(line.group(1)));
    }

    private static IOException notAKey(Path file) {
        return new IOException("file " + file
                + " holds no index key: name another, or delete it and run rebuild-index to make a new one");
    }

    /** Makes a new key and its file, durably. The file must not exist. */
    public static IndexKey create(Path file) throws IOException {
        IndexKey key = IndexKey.random();
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        Files.deleteIfExists(temporary);
        try (FileChannel channel = FileChannel.open(
                temporary,
                Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
                PosixFilePermissions.asFileAttribute(OWNER_ONLY))) {
            String line = "shredder-index-key-1 " + HexFormat.of().formatHex(key.secret()) + "\n";
            DurableFiles.writeFully(channel, ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII)), 0);
            channel.force(true);
        }
        DurableFiles.publish(temporary, file);
        return key;
    }
}
