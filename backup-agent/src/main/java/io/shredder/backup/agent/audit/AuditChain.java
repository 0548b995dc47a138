// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.audit;

import io.shredder.backup.snapshot.AuditPosition;
import io.shredder.chunk.DigestAlgorithm;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * What ties the lines of an audit log together: each ends with the start of the SHA-256 of all bytes of the file before
 * that value. Lines without one (what a crash left of a line, and those of an older version) stand only above a line
 * {@value #CONTINUED}. Takes the file from its start, in pieces of any length. One thread at a time.
 */
final class AuditChain {

    /** The event of a line that vouches for those without a value above it. */
    static final String CONTINUED = "log-continued";

    /** A disk writes so many bytes together, from a multiple of it on; it may have larger sectors. */
    private static final int SECTOR_BYTES = 512;

    private static final int HEX_DIGITS = 32;
    private static final byte[] MARK = ",\"chain\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = "\"}".getBytes(StandardCharsets.US_ASCII);
    private static final int TAIL_BYTES = MARK.length + HEX_DIGITS + END.length;

    /** So many bytes before the end of a line, with its line feed, tell its value. */
    static final int POSITION_TAIL_BYTES = TAIL_BYTES + 1;

    private final MessageDigest before;
    private final ByteArrayOutputStream line;
    private final List<Long> wrong;
    private final List<Long> withoutValue;
    private long lineAt;
    private boolean begun;
    /** Whether of the last whole line a crash left a part. */
    private boolean endsTorn;

    /** The value that the last line with one states. */
    private byte[] last = new byte[0];

    AuditChain() {
        this(DigestAlgorithm.SHA_256.newMessageDigest(), List.of(), List.of());
    }

    private AuditChain(MessageDigest before, List<Long> wrong, List<Long> withoutValue) {
        this.before = before;
        this.line = new ByteArrayOutputStream();
        this.wrong = new ArrayList<>(wrong);
        this.withoutValue = new ArrayList<>(withoutValue);
    }

    /** The same state; what is added to either does not change the other. */
    AuditChain copy() {
        AuditChain copy = new AuditChain(clone(before), wrong, withoutValue);
        copy.line.writeBytes(line.toByteArray());
        copy.lineAt = lineAt;
        copy.begun = begun;
        copy.endsTorn = endsTorn;
        copy.last = last;
        return copy;
    }

    private static MessageDigest clone(MessageDigest digest) {
        try {
            return (MessageDigest) digest.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("every Java's SHA-256 can be copied", e);
        }
    }

    /** Takes the next bytes of the file. */
    void add(byte[] bytes) {
        for (byte one : bytes) {
            if (one == '\n') {
                endLine();
            } else {
                line.write(one);
            }
        }
    }

    private void endLine() {
        byte[] bytes = line.toByteArray();
        line.reset();
        endsTorn = isTorn(bytes, lineAt);
        Optional<byte[]> stated = endsTorn ? Optional.empty() : stated(bytes);
        if (stated.isPresent()) {
            endWithValue(bytes, stated.get());
        } else {
            withoutValue.add(lineAt);
        }
        before.update(bytes);
        before.update((byte) '\n');
        lineAt += bytes.length + 1;
    }

    /** Whether a sector did not reach the disk before a later one: then it ends with zeros, which no line has. */
    private static boolean isTorn(byte[] line, long at) {
        for (long end = (at / SECTOR_BYTES + 1) * SECTOR_BYTES; end - at <= line.length; end += SECTOR_BYTES) {
            if (line[(int) (end - at - 1)] == 0) {
                return true;
            }
        }
        return false;
    }

    private void endWithValue(byte[] bytes, byte[] stated) {
        begun = true;
        last = stated;
        MessageDigest here = clone(before);
        here.update(bytes, 0, bytes.length - HEX_DIGITS - END.length);
        if (!Arrays.equals(value(here), stated)) {
            wrong.add(lineAt);
        }
        if (!new String(bytes, StandardCharsets.UTF_8).contains("\"event\":\"" + CONTINUED + "\"")) {
            wrong.addAll(withoutValue);
        }
        withoutValue.clear();
    }

    /** The value at the end of a line, if there is one. */
    private static Optional<byte[]> stated(byte[] bytes) {
        int tailAt = bytes.length - TAIL_BYTES;
        if (tailAt < 0
                || !Arrays.equals(bytes, tailAt, tailAt + MARK.length, MARK, 0, MARK.length)
                || !Arrays.equals(bytes, bytes.length - END.length, bytes.length, END, 0, END.length)) {
            return Optional.empty();
        }
        return Optional.of(Arrays.copyOfRange(bytes, tailAt + MARK.length, tailAt + MARK.length + HEX_DIGITS));
    }

    private static byte[] value(MessageDigest digest) {
        String hex = HexFormat.of().formatHex(digest.digest());
        return hex.substring(0, HEX_DIGITS).getBytes(StandardCharsets.US_ASCII);
    }

    /** Whether there is no byte yet. */
    boolean isEmpty() {
        return lineAt == 0 && line.size() == 0;
    }

    /** Where the last line with a value ends, provided that nothing is behind it. */
    AuditPosition position() {
        return position(lineAt, last);
    }

    /**
     * The position behind a line.
     *
     * @param tail the last bytes of the line, with its line feed, at least {@link #POSITION_TAIL_BYTES}
     */
    static AuditPosition position(long offset, ByteBuffer tail) {
        byte[] bytes = new byte[tail.remaining()];
        tail.get(bytes);
        if (bytes.length < POSITION_TAIL_BYTES || bytes[bytes.length - 1] != '\n') {
            return AuditPosition.NONE;
        }
        return stated(Arrays.copyOf(bytes, bytes.length - 1))
                .map(value -> position(offset, value))
                .orElse(AuditPosition.NONE);
    }

    private static AuditPosition position(long offset, byte[] value) {
        String hex = new String(value, StandardCharsets.US_ASCII);
        if (!hex.matches("[0-9a-f]{" + HEX_DIGITS + "}")) {
            return AuditPosition.NONE;
        }
        int half = HEX_DIGITS / 2;
        return new AuditPosition(
                offset,
                Long.parseUnsignedLong(hex.substring(0, half), 16),
                Long.parseUnsignedLong(hex.substring(half), 16));
    }

    /** Whether a line {@value #CONTINUED} is due: a crash left a part of a line, or no line has a value yet. */
    boolean needsContinuing() {
        return line.size() > 0 || endsTorn || !begun;
    }

    /**
     * Adds a line to the chain.
     *
     * @param object a JSON object with a field at least
     * @return what is to be appended to the file: the object with its value, line feed and all, behind the end of a
     *     half line if there is one
     */
    byte[] end(byte[] object) {
        ByteArrayOutputStream appended = new ByteArrayOutputStream();
        if (line.size() > 0) {
            appended.write('\n');
        }
        appended.write(object, 0, object.length - 1);
        appended.writeBytes(MARK);
        MessageDigest here = clone(before);
        here.update(line.toByteArray());
        here.update(appended.toByteArray());
        appended.writeBytes(value(here));
        appended.writeBytes(END);
        appended.write('\n');
        byte[] bytes = appended.toByteArray();
        add(bytes);
        return bytes;
    }

    /** What is wrong, a line each. */
    List<String> problems(String file) {
        List<Long> places = new ArrayList<>(wrong);
        places.addAll(withoutValue);
        if (line.size() > 0) {
            places.add(lineAt);
        }
        return places.stream()
                .map(at ->
                        file + ": damaged at offset " + at + ": this line, or one above it, is not as it was written")
                .toList();
    }
}
