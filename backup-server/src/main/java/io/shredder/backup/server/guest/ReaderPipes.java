// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.guest;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Frames to and from the reader of files: a letter, a length of four bytes, so many bytes; big-endian. A frame that is
 * longer than any may be is refused before memory is taken for it. One thread.
 */
final class ReaderPipes implements Closeable {

    /** A frame's length at most; of what is read at once {@code file_reader.py} asks for as much. */
    static final int MOST_BYTES = 4 << 20;

    private final DataInputStream in;
    private final DataOutputStream out;

    /** What the frame's letter means is {@code file_reader.py}'s to say. The body is the receiver's. */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    record Frame(char letter, byte[] body) {}

    ReaderPipes(InputStream in, OutputStream out) {
        this.in = new DataInputStream(new BufferedInputStream(in, 1 << 16));
        this.out = new DataOutputStream(new BufferedOutputStream(out, 1 << 16));
    }

    /** The program itself, before the first frame. */
    void sendProgram(byte[] source) throws IOException {
        out.writeInt(source.length);
        out.write(source);
    }

    void send(char letter, byte[] body) throws IOException {
        out.writeByte(letter);
        out.writeInt(body.length);
        out.write(body);
        out.flush();
    }

    void send(char letter, String text) throws IOException {
        send(letter, text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * The next frame.
     *
     * @throws EOFException if the other side has ended
     */
    Frame receive() throws IOException {
        char letter = (char) in.readUnsignedByte();
        int length = in.readInt();
        if (length < 0 || length > MOST_BYTES) {
            throw new IOException("the reader of files sent a frame of " + Integer.toUnsignedLong(length) + " bytes");
        }
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("the reader of files ended in a frame");
        }
        return new Frame(letter, body);
    }

    @Override
    public void close() throws IOException {
        try (in;
                out) {
            out.flush();
        }
    }
}
