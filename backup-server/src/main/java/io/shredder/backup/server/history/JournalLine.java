// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.history;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A line of a journal: CRC32C, number and JSON, a space between each two and a line feed at the end; {@code
 * docs/formats/history.md}.
 *
 * @param number in its journal, one more than the line's before
 * @param body what it says
 */
public record JournalLine(long number, ObjectNode body) {

    /** Of a line with its end; nobody reads more of one. */
    static final int MOST_BYTES = 64 << 10;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int CRC_DIGITS = 8;
    private static final int MOST_TEXT = 1000;

    /** Words of others, of which a line has so many at most. */
    static String shortened(String text) {
        return text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT) + "...";
    }

    byte[] bytes() {
        byte[] rest = (number + " " + body + "\n").getBytes(StandardCharsets.UTF_8);
        byte[] crc = (crcOf(rest, 0, rest.length - 1) + " ").getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(crc.length + rest.length).put(crc).put(rest).array();
    }

    /** Reads one without its line feed; empty if it has other bytes than were written. */
    static Optional<JournalLine> read(byte[] from, int offset, int length) {
        if (length < CRC_DIGITS + 2) {
            return Optional.empty();
        }
        String crc = new String(from, offset, CRC_DIGITS, StandardCharsets.US_ASCII);
        int rest = offset + CRC_DIGITS + 1;
        int end = offset + length;
        if (from[rest - 1] != ' ' || !crc.equals(crcOf(from, rest, end - rest))) {
            return Optional.empty();
        }
        int space = rest;
        while (space < end && from[space] != ' ') {
            space++;
        }
        try {
            long number = Long.parseLong(new String(from, rest, space - rest, StandardCharsets.US_ASCII));
            return JSON.readTree(from, space, end - space) instanceof ObjectNode body
                    ? Optional.of(new JournalLine(number, body))
                    : Optional.empty();
        } catch (JacksonException | NumberFormatException e) {
            return Optional.empty();
        } catch (java.io.IOException e) {
            throw new IllegalStateException("bytes in memory can be read", e);
        }
    }

    private static String crcOf(byte[] bytes, int offset, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, offset, length);
        return String.format("%08x", crc.getValue());
    }
}
