// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.trust;

import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * The newest snapshot of a series that a client has seen; its file is one line of text.
 *
 * @param id that the agent gave it
 * @param ordinal in its series; 0 for one of before places were sealed
 * @param digest what its successor calls it
 * @param taken when its backup began
 */
record KnownCommit(long id, long ordinal, Fingerprint digest, Instant taken) {

    private static final String LABEL = "shredder-commit-1";
    private static final Pattern LINE =
            Pattern.compile(LABEL + " ([0-9]{1,19}) ([0-9]{1,19}) ([0-9a-f]{64}) ([0-9]{1,15}) ([0-9a-f]{8})\\s*");

    static KnownCommit of(ProvedSnapshot snapshot) {
        return new KnownCommit(
                snapshot.info().id(),
                snapshot.ordinal(),
                snapshot.digest(),
                snapshot.summary().taken());
    }

    static Optional<KnownCommit> read(Path file) throws IOException {
        String text;
        try {
            text = Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        Matcher line = LINE.matcher(text);
        try {
            if (line.matches()) {
                KnownCommit read = new KnownCommit(
                        Long.parseLong(line.group(1)),
                        Long.parseLong(line.group(2)),
                        Fingerprint.parseHex(line.group(3)),
                        Instant.ofEpochMilli(Long.parseLong(line.group(4))));
                if (read.toLine().equals(text.strip())) {
                    return Optional.of(read);
                }
            }
        } catch (NumberFormatException e) {
            throw damaged(file);
        }
        throw damaged(file);
    }

    private static IOException damaged(Path file) {
        return new IOException(
                file + " is damaged, so nobody knows what this site has seen of the series: look at it by"
                        + " 'shredder-backup list', then take it for whole by 'shredder-backup accept'");
    }

    String toLine() {
        String start = LABEL + " " + id + " " + ordinal + " " + digest + " " + taken.toEpochMilli();
        CRC32C crc = new CRC32C();
        crc.update(start.getBytes(StandardCharsets.US_ASCII));
        return start + " " + String.format("%08x", (int) crc.getValue());
    }

    boolean isOlderThan(ProvedSnapshot other) {
        return other.ordinal() > ordinal || (ordinal == 0 && other.info().id() > id);
    }
}
