// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.shredder.backup.bytes.BodyReader;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * One frame: 16 bytes of header, then a body of at most {@link WireFormat#MAX_BODY_BYTES}.
 *
 * <pre>
 *  0               1               2               3
 * +---------------+---------------+---------------+---------------+
 * |          magic "SH"           |   layout = 1  |     type      |
 * +---------------+---------------+---------------+---------------+
 * |                        request number                         |
 * +---------------+---------------+---------------+---------------+
 * |                     body length in bytes                      |
 * +---------------+---------------+---------------+---------------+
 * |           CRC32C of the 12 bytes above and the body           |
 * +---------------+---------------+---------------+---------------+
 * </pre>
 *
 * @param type what the body is
 * @param requestId chosen by the client, repeated by the answer; 0 belongs to no request
 * @param body the body, from position to limit, big-endian; owned by this value
 * @param streamOffset where in the peer's stream of bytes the frame began, for errors
 */
public record Frame(FrameType type, int requestId, ByteBuffer body, long streamOffset) {

    /** A message as a whole frame, ready to be sent, in one of the allocator's buffers, or its own. */
    public static ByteBuf encode(ByteBufAllocator allocator, int requestId, Message message) {
        int frameBytes = WireFormat.HEADER_BYTES + message.bodyBytes();
        if (message instanceof RegionRecords records) {
            ByteBuf frame = records.takeFrame();
            writeHeader(requestId, message, frame.nioBuffer(0, frameBytes));
            return frame;
        }
        ByteBuf buffer = allocator.directBuffer(frameBytes, frameBytes);
        encode(requestId, message, buffer.nioBuffer(0, frameBytes));
        return buffer.writerIndex(frameBytes);
    }

    /** The same in a new buffer of its own. */
    public static ByteBuffer encode(int requestId, Message message) {
        ByteBuffer frame = ByteBuffer.allocate(WireFormat.HEADER_BYTES + message.bodyBytes());
        encode(requestId, message, frame);
        return frame.flip();
    }

    private static void encode(int requestId, Message message, ByteBuffer frame) {
        frame.position(WireFormat.HEADER_BYTES);
        message.writeBody(frame);
        if (frame.hasRemaining()) {
            throw new IllegalStateException(message.type() + " wrote " + frame.remaining() + " bytes too few");
        }
        writeHeader(requestId, message, frame);
    }

    /** Writes the header of a frame that ends with its body. */
    private static void writeHeader(int requestId, Message message, ByteBuffer frame) {
        int bodyBytes = frame.limit() - WireFormat.HEADER_BYTES;
        frame.position(0).putShort(WireFormat.MAGIC);
        frame.put(WireFormat.FRAME_LAYOUT).put((byte) message.type().code());
        frame.putInt(requestId).putInt(bodyBytes);
        frame.putInt(crc(frame.slice(0, 12), frame.slice(WireFormat.HEADER_BYTES, bodyBytes)));
        frame.position(frame.limit());
    }

    /** The body as a request. */
    public Request request(String peer) throws DamagedDataException {
        return Request.read(type, reader(peer));
    }

    /** The body as an answer. */
    public Answer answer(String peer) throws DamagedDataException {
        return Answer.read(type, reader(peer));
    }

    /** The body as a word of a peer that has nothing else to say. */
    public KeepAlive keepAlive(String peer) throws DamagedDataException {
        return KeepAlive.read(reader(peer));
    }

    /** A reader of the body. */
    public BodyReader reader(String peer) {
        return new BodyReader(body, peer, streamOffset + WireFormat.HEADER_BYTES);
    }

    /** A frame's header. */
    record Header(FrameType type, int requestId, int bodyBytes, int crc, ByteBuffer bytes) {

        /** Reads the 16 bytes at the position of {@code bytes} and refuses all that no frame can have. */
        static Header read(ByteBuffer bytes, String peer, long streamOffset) throws DamagedDataException {
            ByteBuffer head = bytes.slice(bytes.position(), WireFormat.HEADER_BYTES);
            if (head.getShort(0) != WireFormat.MAGIC) {
                throw new DamagedDataException(peer, streamOffset, "not the start of a frame");
            }
            if (head.get(2) != WireFormat.FRAME_LAYOUT) {
                throw new DamagedDataException(peer, streamOffset + 2, "unknown frame layout " + head.get(2));
            }
            int code = Byte.toUnsignedInt(head.get(3));
            FrameType type = FrameType.fromCode(code)
                    .orElseThrow(() -> new DamagedDataException(peer, streamOffset + 3, "unknown frame type " + code));
            int bodyBytes = head.getInt(8);
            if (bodyBytes < 0 || bodyBytes > WireFormat.MAX_BODY_BYTES) {
                throw new DamagedDataException(
                        peer,
                        streamOffset + 8,
                        "body of " + Integer.toUnsignedString(bodyBytes) + " bytes is longer than "
                                + WireFormat.MAX_BODY_BYTES);
            }
            return new Header(type, head.getInt(4), bodyBytes, head.getInt(12), head);
        }

        /** Joins the body, which must have {@link #bodyBytes} bytes, and checks the CRC. */
        Frame with(ByteBuffer body, String peer, long streamOffset) throws DamagedDataException {
            if (Frame.crc(bytes.slice(0, 12), body) != crc) {
                throw new DamagedDataException(peer, streamOffset + 12, "frame " + type + " has another CRC32C");
            }
            return new Frame(type, requestId, body, streamOffset);
        }
    }

    private static int crc(ByteBuffer head, ByteBuffer body) {
        CRC32C crc = new CRC32C();
        crc.update(head.duplicate());
        crc.update(body.duplicate());
        return (int) crc.getValue();
    }
}
