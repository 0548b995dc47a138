// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.live;

import io.shredder.backup.server.nbd.NbdVolume;
import io.shredder.backup.server.reader.DamagedRangeException;
import io.shredder.backup.server.reader.ImageExtent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** An image in memory, as a snapshot's reader has it, of which some bytes may be damaged. */
final class BytesVolume implements NbdVolume {

    private final byte[] bytes;
    private volatile long damagedFrom;
    private volatile long damagedTo;

    BytesVolume(byte[] bytes) {
        this.bytes = bytes;
    }

    void damage(long from, long to) {
        damagedFrom = from;
        damagedTo = to;
    }

    byte[] bytes() {
        return bytes;
    }

    @Override
    public String name() {
        return "vm@1";
    }

    @Override
    public String description() {
        return "bytes";
    }

    @Override
    public long size() {
        return bytes.length;
    }

    @Override
    public void read(long offset, ByteBuffer into) throws IOException {
        long end = offset + into.remaining();
        if (offset < damagedTo && damagedFrom < end) {
            into.put(bytes, (int) offset, (int) Math.max(0, damagedFrom - offset));
            throw new DamagedRangeException(
                    "damaged", damagedFrom, damagedTo - damagedFrom, new IOException("of a test"));
        }
        into.put(bytes, (int) offset, into.remaining());
    }

    @Override
    public void expect(long offset, long count) {}

    @Override
    public void prefetch(long offset, long count) {}

    /** Runs of at least 3,000 zeros are holes. */
    @Override
    public List<ImageExtent> extents(long offset, long count, int most) {
        int end = (int) (offset + count);
        int zeros = zerosFrom((int) offset, end);
        if (zeros >= 3_000 || zeros == count) {
            return List.of(new ImageExtent(offset, zeros, true));
        }
        int at = (int) offset;
        while (at < end && zerosFrom(at, end) < 3_000) {
            at++;
        }
        return List.of(new ImageExtent(offset, at - offset, false));
    }

    private int zerosFrom(int from, int end) {
        int at = from;
        while (at < end && bytes[at] == 0) {
            at++;
        }
        return at - from;
    }
}
