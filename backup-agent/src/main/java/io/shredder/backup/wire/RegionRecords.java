// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.shredder.backup.bytes.BodyReader;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;

/**
 * {@link Answer.Regions} on their way out, as they lie in containers: they are read into the frame that is sent, so
 * nobody copies them. For one thread. Whoever has one lets {@link Frame#encode} take its bytes, or releases it.
 */
public final class RegionRecords implements Answer {

    private static final int BODY_AT = WireFormat.HEADER_BYTES;
    private static final int RECORDS_AT = BODY_AT + 8;

    private final ByteBuf frame;

    /**
     * Without regions.
     *
     * @param expectedBytes so many will come; more may
     */
    public RegionRecords(int expectedBytes) {
        frame = PooledByteBufAllocator.DEFAULT.directBuffer(RECORDS_AT + expectedBytes);
        frame.writerIndex(RECORDS_AT);
    }

    /**
     * Where the next region goes, from the position to the limit: the length of the stored bytes, the fields before
     * them, and them. What lies before the position is not to be changed.
     */
    public ByteBuffer room(int bytes) {
        frame.ensureWritable(bytes);
        int at = frame.writerIndex();
        return frame.nioBuffer(0, at + bytes).position(at);
    }

    /** So many bytes have been written to {@link #room}. */
    public void add(int bytes) {
        frame.writerIndex(frame.writerIndex() + bytes);
    }

    /** Length of the regions that were added. */
    public int recordBytes() {
        return frame.writerIndex() - RECORDS_AT;
    }

    /**
     * Nothing is added any more.
     *
     * @param answered how many of the chunks asked for, as in {@link Answer.Regions}
     * @param count how many regions there are
     */
    public void finish(int answered, int count) {
        frame.setInt(BODY_AT, answered).setInt(BODY_AT + 4, count);
    }

    /** The body, behind room for a header; the caller's from now on. */
    ByteBuf takeFrame() {
        return frame;
    }

    /**
     * The regions as somebody who receives them has them; then these records' memory is given back.
     *
     * @param buffers where theirs comes from
     * @param source whose they are, for errors
     */
    public Regions received(BodyBuffers buffers, String source) throws DamagedDataException {
        try {
            int bytes = bodyBytes();
            ByteBuffer body = buffers.take(bytes).limit(bytes);
            frame.getBytes(BODY_AT, body);
            return (Regions) Answer.read(type(), new BodyReader(body.flip(), source, 0));
        } finally {
            release();
        }
    }

    /** Gives the memory back. */
    public void release() {
        frame.release();
    }

    @Override
    public FrameType type() {
        return FrameType.REGIONS;
    }

    @Override
    public int bodyBytes() {
        return frame.writerIndex() - BODY_AT;
    }

    @Override
    public void writeBody(ByteBuffer target) {
        target.put(frame.nioBuffer(BODY_AT, bodyBytes()));
    }
}
