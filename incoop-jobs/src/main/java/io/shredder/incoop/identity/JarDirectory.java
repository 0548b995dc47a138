// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * The central directory of a jar: what stands at its end, and names each entry with its length and CRC-32. The
 * structures are those of PKWARE's APPNOTE.TXT, sections 4.3.7 to 4.3.16; a class loader finds the directory in the
 * same way, so whatever stands before the first entry (a script that starts the jar) is no hindrance.
 */
final class JarDirectory {

    private static final int END_SIGNATURE = 0x06054b50;
    private static final int END_BYTES = 22;
    private static final int LONGEST_COMMENT = 0xffff;
    private static final int LOCATOR_SIGNATURE = 0x07064b50;
    private static final int LOCATOR_BYTES = 20;
    private static final int END64_SIGNATURE = 0x06064b50;
    private static final int END64_BYTES = 56;
    private static final int ENTRY_SIGNATURE = 0x02014b50;
    private static final int ENTRY_BYTES = 46;
    private static final int LOCAL_BYTES = 30;
    private static final int IN_END64 = -1;
    private static final int DEFLATED = 8;

    private final RandomAccessFile file;
    private final byte[] whole;

    /** A view of the whole directory. */
    private final ByteBuffer bytes;

    /** How far all offsets in the directory are off, for what stands before the jar. */
    private final long shift;

    private JarDirectory(RandomAccessFile file, byte[] whole, long shift) {
        this.file = file;
        this.whole = whole;
        this.bytes = view(whole);
        this.shift = shift;
    }

    /** The directory of a jar; empty if the file is none, or is damaged. */
    static Optional<JarDirectory> of(RandomAccessFile file) throws IOException {
        // Hardly any jar has a comment: its end lies in the last bytes.
        long length = file.length();
        long from = Math.max(0, length - LOCATOR_BYTES - END_BYTES);
        Optional<JarDirectory> directory = endingBehind(file, from, length);
        return directory.isPresent() || from == 0
                ? directory
                : endingBehind(file, Math.max(0, from - LONGEST_COMMENT), length);
    }

    /** Looks for the end record from the back, as its comment may hold anything. */
    private static Optional<JarDirectory> endingBehind(RandomAccessFile file, long from, long length)
            throws IOException {
        ByteBuffer tail = view(read(file, from, (int) (length - from)));
        for (int at = tail.limit() - END_BYTES; at >= 0; at--) {
            boolean fits = tail.getInt(at) == END_SIGNATURE
                    && at + END_BYTES + Short.toUnsignedInt(tail.getShort(at + 20)) == tail.limit();
            if (fits) {
                return before(file, tail, at, from + at);
            }
        }
        return Optional.empty();
    }

    private static Optional<JarDirectory> before(RandomAccessFile file, ByteBuffer tail, int at, long end)
            throws IOException {
        int locator = at - LOCATOR_BYTES;
        boolean large = tail.getInt(at + 12) == IN_END64
                || tail.getInt(at + 16) == IN_END64
                || tail.getShort(at + 10) == (short) IN_END64;
        if (!large || locator < 0 || tail.getInt(locator) != LOCATOR_SIGNATURE) {
            return read(
                    file,
                    end,
                    Integer.toUnsignedLong(tail.getInt(at + 12)),
                    Integer.toUnsignedLong(tail.getInt(at + 16)));
        }
        long end64 = tail.getLong(locator + 8);
        if (end64 < 0 || end64 > end - END64_BYTES) {
            return Optional.empty();
        }
        ByteBuffer record = view(read(file, end64, END64_BYTES));
        return record.getInt(0) == END64_SIGNATURE
                ? read(file, end64, record.getLong(40), record.getLong(48))
                : Optional.empty();
    }

    private static Optional<JarDirectory> read(RandomAccessFile file, long end, long length, long offset)
            throws IOException {
        if (length < 0 || length > end || length > Integer.MAX_VALUE - 8 || offset < 0 || offset > end - length) {
            return Optional.empty();
        }
        byte[] whole = read(file, end - length, (int) length);
        return length == 0 || (length >= ENTRY_BYTES && view(whole).getInt(0) == ENTRY_SIGNATURE)
                ? Optional.of(new JarDirectory(file, whole, end - length - offset))
                : Optional.empty();
    }

    private static byte[] read(RandomAccessFile file, long from, int length) throws IOException {
        byte[] bytes = new byte[length];
        file.seek(from);
        file.readFully(bytes);
        return bytes;
    }

    private static ByteBuffer view(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The whole directory; not to be written to. */
    byte[] bytes() {
        return whole;
    }

    /** Whether a rule holds for all entries' names. */
    boolean allNames(Predicate<String> rule) {
        for (int at = 0; isEntry(at); at = next(at)) {
            if (!rule.test(new String(whole, at + ENTRY_BYTES, nameBytes(at), StandardCharsets.UTF_8))) {
                return false;
            }
        }
        return true;
    }

    /** What an entry holds; empty if there is none of the name, or it can't be read. */
    Optional<byte[]> content(byte[] name) throws IOException {
        for (int at = 0; isEntry(at); at = next(at)) {
            int from = at + ENTRY_BYTES;
            if (Arrays.equals(whole, from, from + nameBytes(at), name, 0, name.length)) {
                return contentOf(at);
            }
        }
        return Optional.empty();
    }

    private boolean isEntry(int at) {
        return at <= bytes.limit() - ENTRY_BYTES
                && bytes.getInt(at) == ENTRY_SIGNATURE
                && at + ENTRY_BYTES + nameBytes(at) <= bytes.limit();
    }

    private int nameBytes(int at) {
        return Short.toUnsignedInt(bytes.getShort(at + 28));
    }

    private int next(int at) {
        int extra = Short.toUnsignedInt(bytes.getShort(at + 30));
        int comment = Short.toUnsignedInt(bytes.getShort(at + 32));
        return at + ENTRY_BYTES + nameBytes(at) + extra + comment;
    }

    private Optional<byte[]> contentOf(int at) throws IOException {
        long packed = Integer.toUnsignedLong(bytes.getInt(at + 20));
        long unpacked = Integer.toUnsignedLong(bytes.getInt(at + 24));
        long local = Integer.toUnsignedLong(bytes.getInt(at + 42)) + shift;
        if (local + LOCAL_BYTES > file.length()) {
            return Optional.empty();
        }
        ByteBuffer header = view(read(file, local, LOCAL_BYTES));
        long from = local
                + LOCAL_BYTES
                + Short.toUnsignedInt(header.getShort(26))
                + Short.toUnsignedInt(header.getShort(28));
        if (from + packed > file.length() || unpacked > Integer.MAX_VALUE - 8) {
            return Optional.empty();
        }
        byte[] content = read(file, from, (int) packed);
        return bytes.getShort(at + 10) == DEFLATED ? inflated(content, (int) unpacked) : Optional.of(content);
    }

    private static Optional<byte[]> inflated(byte[] packed, int length) {
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(packed);
            byte[] content = new byte[length];
            return inflater.inflate(content) == length ? Optional.of(content) : Optional.empty();
        } catch (DataFormatException e) {
            return Optional.empty();
        } finally {
            inflater.end();
        }
    }
}
