// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.cli;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.DigestAlgorithm;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Chunks as lines on standard output, of which a failed write is noticed, unlike {@code System.out}'s. */
final class ChunkPrinter implements AutoCloseable {

    private static final int BUFFER_BYTES = 64 << 10;

    private final OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), BUFFER_BYTES);
    private final boolean json;
    private final DigestAlgorithm digest;
    private final boolean nameFiles;

    ChunkPrinter(boolean json, DigestAlgorithm digest, boolean nameFiles) {
        this.json = json;
        this.digest = digest;
        this.nameFiles = nameFiles;
    }

    void print(Path file, Chunk chunk) throws IOException {
        String line = json ? jsonLine(file, chunk) : textLine(file, chunk);
        try {
            out.write(line.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    void flush() throws IOException {
        try {
            out.flush();
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

    private String textLine(Path file, Chunk chunk) {
        String line = chunk.offset() + "\t" + chunk.length() + "\t" + chunk.fingerprint();
        return nameFiles ? line + "\t" + file + "\n" : line + "\n";
    }

    private String jsonLine(Path file, Chunk chunk) {
        return "{\"file\":\"" + escape(file.toString()) + "\",\"offset\":" + chunk.offset() + ",\"length\":"
                + chunk.length() + ",\"" + digest.optionName() + "\":\"" + chunk.fingerprint() + "\"}\n";
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
}
