// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** Reads frames from a blocking stream. */
public final class FrameInput {

    private FrameInput() {}

    /**
     * The next frame.
     *
     * @throws java.io.EOFException if the stream ends before, or within it
     */
    public static Frame read(InputStream in) throws IOException {
        DataInputStream data = new DataInputStream(in);
        byte[] head = new byte[WireFormat.HEADER_BYTES];
        data.readFully(head);
        Frame.Header header = Frame.Header.read(ByteBuffer.wrap(head), "agent", 0);
        byte[] body = new byte[header.bodyBytes()];
        data.readFully(body);
        return header.with(ByteBuffer.wrap(body), "agent", 0);
    }
}
