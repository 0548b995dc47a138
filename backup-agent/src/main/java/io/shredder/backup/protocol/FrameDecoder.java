// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a peer's stream of bytes into {@link Frame}s. Holds at most one frame; the first damage ends the stream: it is thrown (to the
 * next handler's {@code exceptionCaught}), and everything after it is dropped.
 */
public final class FrameDecoder extends ByteToMessageDecoder {

    private final String peer;
    private long streamOffset;
    private Frame.@Nullable Header header;
    private boolean damaged;

    /** @param peer whom the bytes come from, for errors */
    public FrameDecoder(String peer) {
        this.peer = peer;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws DamagedDataException {
        if (damaged) {
            in.skipBytes(in.readableBytes());
            return;
        }
        try {
            Frame frame = next(in);
            if (frame != null) {
                out.add(frame);
            }
        } catch (DamagedDataException e) {
            damaged = true;
            in.skipBytes(in.readableBytes());
            throw e;
        }
    }

    private @Nullable Frame next(ByteBuf in) throws DamagedDataException {
        if (header == null && in.readableBytes() >= WireFormat.HEADER_BYTES) {
            header = Frame.Header.read(copy(in, WireFormat.HEADER_BYTES), peer, streamOffset);
        }
        if (header == null || in.readableBytes() < header.bodyBytes()) {
            return null;
        }
        Frame frame = header.with(copy(in, header.bodyBytes()), peer, streamOffset);
        streamOffset += WireFormat.HEADER_BYTES + header.bodyBytes();
        header = null;
        return frame;
    }

    private static ByteBuffer copy(ByteBuf in, int length) {
        byte[] bytes = new byte[length];
        in.readBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    /** A stream that ends inside a frame is damaged, too. */
    @Override
    protected void decodeLast(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws Exception {
        decode(context, in, out);
        if (!damaged && out.isEmpty() && (header != null || in.isReadable())) {
            damaged = true;
            throw new DamagedDataException(peer, streamOffset, "the connection ended inside a frame");
        }
    }
}
