// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.move;

import io.shredder.backup.agent.file.CheckedText;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a store says that files are moved to: {@code docs/formats/moving.md}, section 1.
 *
 * @param move which move it is
 * @param from address of the store that they come from
 * @param done whether all are here
 */
record MoveNote(UUID move, String from, boolean done) {

    /** Its name in the store. */
    static final String FILE = "moving";

    private static final Pattern TEXT = Pattern.compile(
            "shredder-moving 1\nmove ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\nfrom ([^\n]+)\nstate (begun|done)\n");

    /** What a store says, if files were ever moved there. */
    static Optional<MoveNote> read(Storage storage) throws IOException {
        Optional<ByteBuffer> bytes = storage.read(FILE);
        return bytes.isEmpty() ? Optional.empty() : Optional.of(decode(bytes.get()));
    }

    private static MoveNote decode(ByteBuffer bytes) throws DamagedDataException {
        String text = CheckedText.decoded(FILE, bytes);
        Matcher fields = TEXT.matcher(text);
        if (!fields.matches()) {
            throw new DamagedDataException(FILE, 0, "it doesn't say what is moved in a way that is known here");
        }
        return new MoveNote(
                UUID.fromString(fields.group(1)),
                fields.group(2),
                fields.group(3).equals("done"));
    }

    /** Writes it, durably. */
    void write(Storage storage) throws IOException {
        String text =
                "shredder-moving 1\nmove " + move + "\nfrom " + from + "\nstate " + (done ? "done" : "begun") + "\n";
        storage.replace(FILE, ByteBuffer.wrap(CheckedText.encoded(text)));
    }
}
