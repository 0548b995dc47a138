// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.cli;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.ChunkBatch;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Chunks as lines on standard output, of which a failed write is noticed, unlike {@code System.out}'s. Lines are put
 * together from bytes, without an object for each: there can be a million a second.
 */
final class ChunkPrinter implements AutoCloseable {

    private static final int BUFFER_BYTES = 64 << 10;

    /** Of the decimal digits of a long. */
    private static final int MAX_DIGITS = 19;

    private static final byte[] HEX = utf8("0123456789abcdef");

    /** What stands around a chunk's offset, length and digest. */
    private static final class LineFormat {

        private final byte[] start;
        private final byte[] beforeLength;
        private final byte[] beforeDigest;
        private final byte[] end;

        private LineFormat(String start, String beforeLength, String beforeDigest, String end) {
            this.start = utf8(start);
            this.beforeLength = utf8(beforeLength);
            this.beforeDigest = utf8(beforeDigest);
            this.end = utf8(end);
        }

        static LineFormat text(Path file, boolean nameFile) {
            return new LineFormat("", "\t", "\t", nameFile ? "\t" + file + "\n" : "\n");
        }

        static LineFormat json(Path file, DigestAlgorithm digest) {
            return new LineFormat(
                    "{\"file\":\"" + escape(file.toString()) + "\",\"offset\":",
                    ",\"length\":",
                    ",\"" + digest.optionName() + "\":\"",
                    "\"}\n");
        }
    }

    private final OutputStream out = new FileOutputStream(FileDescriptor.out);
    private final boolean json;
    private final DigestAlgorithm digest;
    private final boolean nameFiles;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int used;
    private final byte[] digits = new byte[MAX_DIGITS];
    private final byte[] fingerprint = new byte[Fingerprint.BYTES];

    ChunkPrinter(boolean json, DigestAlgorithm digest, boolean nameFiles) {
        this.json = json;
        this.digest = digest;
        this.nameFiles = nameFiles;
    }

    /** Prints the batch's chunks, which are the file's. */
    void print(Path file, ChunkBatch batch) throws IOException {
        LineFormat format = json ? LineFormat.json(file, digest) : LineFormat.text(file, nameFiles);
        for (int i = 0; i < batch.count(); i++) {
            put(format.start);
            putDecimal(batch.offset(i));
            put(format.beforeLength);
            putDecimal(batch.length(i));
            put(format.beforeDigest);
            batch.copyFingerprint(i, fingerprint, 0);
            putHex(fingerprint);
            put(format.end);
        }
    }

    /** Writes what is left. */
    void flush() throws IOException {
        try {
            out.write(buffer, 0, used);
            used = 0;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Nothing to do: {@link #flush} has written everything, or has failed; standard output stays open. */
    @Override
    public void close() {}

    /** A reader that has gone away, in the words of Linux, is no failure of ours; a full disk is. */
    private static IOException failed(IOException cause) {
        String text = String.valueOf(cause.getMessage());
        if (text.contains("Broken pipe")) {
            return new OutputClosedException(cause);
        }
        return new IOException("can't write to standard output: " + text + ": direct it elsewhere", cause);
    }

    private void putDecimal(long number) throws IOException {
        int first = MAX_DIGITS;
        for (long left = number; left > 0 || first == MAX_DIGITS; left /= 10) {
            first--;
            digits[first] = (byte) ('0' + left % 10);
        }
        put(digits, first, MAX_DIGITS);
    }

    private void putHex(byte[] bytes) throws IOException {
        reserve(2 * bytes.length);
        for (byte b : bytes) {
            buffer[used++] = HEX[(b >> 4) & 15];
            buffer[used++] = HEX[b & 15];
        }
    }

    private void put(byte[] bytes) throws IOException {
        put(bytes, 0, bytes.length);
    }

    private void put(byte[] bytes, int from, int to) throws IOException {
        reserve(to - from);
        System.arraycopy(bytes, from, buffer, used, to - from);
        used += to - from;
    }

    /** A path has at most 4,096 bytes, so everything fits into the buffer. */
    private void reserve(int bytes) throws IOException {
        if (used + bytes > BUFFER_BYTES) {
            flush();
        }
    }

    /** RFC 8259, section 7. */
    static String escape(String text) {
        StringBuilder escaped = new StringBuilder();
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                escaped.append('\\').append((char) c);
            } else if (c < ' ') {
                escaped.append(String.format("\\u%04x", c));
            } else {
                escaped.append((char) c);
            }
        });
        return escaped.toString();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
