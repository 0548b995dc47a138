// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a peer's stream of bytes into {@link Frame}s. Holds at most one frame; the first damage ends the stream: it is
 * thrown (to the next handler's {@code exceptionCaught}), and everything after it is dropped.
 */
public final class FrameDecoder extends ByteToMessageDecoder {

    private static final int MIN_READ_BYTES = 64;
    private static final int FIRST_READ_BYTES = 2048;
    private static final int MAX_READ_BYTES = 256 << 10;

    /** What a frame takes beside its body: the objects, and their place in a queue. */
    private static final int FRAME_BYTES = 256;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final int FIRST_BYTES = BodyBuffers.MAX_BUFFER_BYTES;

    private final String peer;
    private final Bodies bodies;
    private final Room room;
    private boolean waitsForRoom;
    private long streamOffset;
    private Frame.@Nullable Header header;
    private ByteBuffer body = NOTHING;
    private boolean damaged;

    /** Memory for frames, of which there may be none at the moment. */
    @FunctionalInterface
    public interface Room {
        /**
         * Takes memory for a frame whose header has come.
         *
         * @param bytes as by {@link #memoryBytes}
         * @return whether it was there; if not, {@link #retry} is called once it may be
         */
        boolean take(int bytes);
    }

    /** @param peer whom the bytes come from, for errors */
    public FrameDecoder(String peer) {
        this(peer, BodyBuffers.onHeap(0));
    }

    /** @param bodies memory for bodies; whoever handles a frame may give it back there */
    public FrameDecoder(String peer, Bodies bodies) {
        this(peer, bodies, bytes -> true);
    }

    /** @param room for all that is read: while there is none, nothing is */
    public FrameDecoder(String peer, Bodies bodies, Room room) {
        this.peer = peer;
        this.bodies = bodies;
        this.room = room;
    }

    /** How much memory a frame with a body of this length takes, until nobody has it any more. */
    public static int memoryBytes(int bodyBytes) {
        return FRAME_BYTES + BodyBuffers.bufferBytes(bodyBytes);
    }

    /** There may be room again. For the connection's event loop. */
    public void retry(ChannelHandlerContext context) throws Exception {
        ChannelHandlerContext own = context.pipeline().context(this);
        if (waitsForRoom && own != null) {
            channelRead(own, Unpooled.EMPTY_BUFFER);
        }
    }

    /** A decoder asks for more when it had too little for a frame; this one may have had too much. */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
        if (waitsForRoom) {
            discardSomeReadBytes();
            context.fireChannelReadComplete();
        } else {
            super.channelReadComplete(context);
        }
    }

    /** How a connection's socket is best read: where much comes, several TLS records at once. */
    public static RecvByteBufAllocator reads() {
        return new AdaptiveRecvByteBufAllocator(MIN_READ_BYTES, FIRST_READ_BYTES, MAX_READ_BYTES);
    }

    /** Whether a part of a frame has come and the rest has not. For the connection's event loop. */
    public boolean isInsideFrame() {
        return header != null || actualReadableBytes() > 0;
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
            context.channel().config().setAutoRead(!waitsForRoom);
        } catch (DamagedDataException e) {
            damaged = true;
            in.skipBytes(in.readableBytes());
            throw e;
        }
    }

    private @Nullable Frame next(ByteBuf in) throws DamagedDataException {
        if (header == null) {
            if (in.readableBytes() < WireFormat.HEADER_BYTES) {
                return null;
            }
            byte[] head = new byte[WireFormat.HEADER_BYTES];
            in.getBytes(in.readerIndex(), head);
            header = Frame.Header.read(ByteBuffer.wrap(head), peer, streamOffset);
            waitsForRoom = true;
        }
        if (waitsForRoom) {
            if (!room.take(memoryBytes(header.bodyBytes()))) {
                return null;
            }
            waitsForRoom = false;
            in.skipBytes(WireFormat.HEADER_BYTES);
            int first = Math.min(header.bodyBytes(), FIRST_BYTES);
            body = bodies.take(header.type(), first);
        }
        receive(in, header);
        if (body.position() < header.bodyBytes()) {
            return null;
        }
        Frame frame = header.with(body.flip(), peer, streamOffset);
        streamOffset += WireFormat.HEADER_BYTES + header.bodyBytes();
        header = null;
        body = NOTHING;
        return frame;
    }

    /** A peer that announces a long body gets memory for it as it comes, not before. */
    private void receive(ByteBuf in, Frame.Header header) {
        int received = body.position();
        int end = received + Math.min(in.readableBytes(), header.bodyBytes() - received);
        if (end > body.capacity()) {
            ByteBuffer longer =
                    bodies.take(header.type(), Math.min(header.bodyBytes(), Math.max(end, 2 * body.capacity())));
            longer.put(body.flip());
            bodies.giveBack(body);
            body = longer;
        }
        in.readBytes(body.limit(end));
    }

    /** The body of a frame that nobody gets is given back. */
    @Override
    protected void handlerRemoved0(ChannelHandlerContext context) {
        bodies.giveBack(body);
        body = NOTHING;
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
