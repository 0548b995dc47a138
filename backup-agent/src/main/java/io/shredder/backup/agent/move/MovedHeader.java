// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.move;

import io.shredder.backup.agent.file.CheckedText;
import io.shredder.backup.agent.file.FileHeader;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file {@code repository} of a store that files are moved from: {@code docs/formats/moving.md}, section 2. A
 * program that knows nothing of moves refuses it by its version.
 *
 * @param move which move it is
 * @param to address of the store that has the repository now
 */
public record MovedHeader(UUID move, String to) {

    private static final int VERSION = 255;

    private static final Pattern TEXT = Pattern.compile("shredder-moved 1\nto ([^\n]+)\n");

    /**
     * What the file says if it is one of these.
     *
     * @param file its name, for messages
     */
    public static Optional<MovedHeader> find(ByteBuffer bytes, String file) throws DamagedDataException {
        FileHeader header = FileHeader.readAnyVersion(bytes, FileHeader.REPOSITORY_MAGIC, file);
        if (header.version() != VERSION) {
            return Optional.empty();
        }
        ByteBuffer rest = bytes.slice(FileHeader.BYTES, bytes.limit() - FileHeader.BYTES);
        String text = CheckedText.decoded(file + ", behind its header", rest);
        Matcher fields = TEXT.matcher(text);
        if (!fields.matches()) {
            throw new DamagedDataException(file, FileHeader.BYTES, "it doesn't say where the repository is now");
        }
        return Optional.of(new MovedHeader(header.repository(), fields.group(1)));
    }

    /** As it is stored. */
    ByteBuffer encode() {
        byte[] text = CheckedText.encoded("shredder-moved 1\nto " + to + "\n");
        return ByteBuffer.allocate(FileHeader.BYTES + text.length)
                .put(new FileHeader(FileHeader.REPOSITORY_MAGIC, VERSION, 0, move).encode())
                .put(text)
                .flip();
    }
}
