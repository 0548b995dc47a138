// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.live;

import io.shredder.backup.server.nbd.NbdVolume;
import io.shredder.backup.server.nbd.WritableVolume;
import io.shredder.backup.server.reader.ImageExtent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * START HERE. An image that is read from the target where that has it, and else from the backup; what is written goes
 * to the target. A block that the guest writes whole needs nothing of the backup; one that it writes in part is
 * completed from there first.
 *
 * <p>Whoever writes to a block that isn't there yet holds the lock of its stripe from the look at the map to the claim.
 * So who fills never writes over a guest. A block that is there is nobody's but the guest's, and needs no lock.
 */
final class LiveVolume implements WritableVolume {

    /** Blocks with one lock; who fills takes one at a time. */
    static final int STRIPE_BYTES = 1 << 20;

    private static final int LOCKS = 256;

    private final NbdVolume backup;
    private final LiveData data;
    private final LiveMap map;
    private final LiveHeader header;
    private final GuestTraffic traffic;
    private final Object[] stripes = new Object[LOCKS];

    /** @param backup whose bytes the target gets; all three stay the caller's */
    LiveVolume(NbdVolume backup, LiveData data, LiveMap map, GuestTraffic traffic) {
        this.backup = backup;
        this.data = data;
        this.map = map;
        this.header = map.header();
        this.traffic = traffic;
        Arrays.setAll(stripes, i -> new Object());
    }

    @Override
    public String name() {
        return backup.name();
    }

    @Override
    public String description() {
        return name() + ", restored while it is used; what is written goes to the target";
    }

    @Override
    public long size() {
        return header.imageBytes();
    }

    private long startOf(long block) {
        return block * header.blockBytes();
    }

    private long endOf(long block) {
        return Math.min(size(), startOf(block) + header.blockBytes());
    }

    /** Where the run that a byte is in ends: of bytes that are there, or of those that aren't. */
    private long runEnd(boolean there, long at, long end) {
        long block = at / header.blockBytes();
        return Math.min(end, startOf(map.next(!there, block, header.blocksTo(end))));
    }

    private boolean isThere(long offset) {
        return map.has(offset / header.blockBytes());
    }

    @Override
    public void read(long offset, ByteBuffer into) throws IOException {
        traffic.during(() -> {
            for (long at = offset, end = offset + into.remaining(); at < end; ) {
                boolean there = isThere(at);
                int count = (int) (runEnd(there, at, end) - at);
                ByteBuffer part = into.slice(into.position(), count);
                if (there) {
                    data.read(at, part);
                } else {
                    backup.read(at, part);
                    traffic.missed(at);
                }
                into.position(into.position() + count);
                at += count;
            }
        });
    }

    @Override
    public void expect(long offset, long bytes) {
        if (bytes > 0 && !isThere(offset)) {
            backup.expect(offset, bytes);
        }
    }

    @Override
    public void prefetch(long offset, long bytes) {
        if (bytes > 0 && !isThere(offset)) {
            backup.prefetch(offset, bytes);
        }
    }

    @Override
    public List<ImageExtent> extents(long offset, long bytes, int most) throws IOException {
        List<ImageExtent> found = new ArrayList<>();
        for (long at = offset, end = offset + bytes; at < end && found.size() <= most; ) {
            boolean there = isThere(at);
            long count = runEnd(there, at, end) - at;
            for (ImageExtent next : there ? data.extents(at, count, most) : backup.extents(at, count, most)) {
                add(found, next);
                at = next.end();
            }
        }
        return found.size() > most ? found.subList(0, most) : found;
    }

    private static void add(List<ImageExtent> found, ImageExtent next) {
        int last = found.size() - 1;
        if (last >= 0 && found.get(last).isHole() == next.isHole()) {
            ImageExtent before = found.get(last);
            found.set(last, new ImageExtent(before.offset(), before.bytes() + next.bytes(), next.isHole()));
        } else {
            found.add(next);
        }
    }

    /** A part of a change, within one stripe. */
    private interface Part {
        void change(long from, long to) throws IOException;
    }

    private void eachStripe(long offset, long bytes, Part part) throws IOException {
        traffic.during(() -> {
            for (long at = offset, end = offset + bytes; at < end; ) {
                long to = Math.min(end, (at / STRIPE_BYTES + 1) * STRIPE_BYTES);
                part.change(at, to);
                at = to;
            }
        });
    }

    private Object lockOf(long offset) {
        return stripes[(int) (offset / STRIPE_BYTES % LOCKS)];
    }

    @Override
    public void write(long offset, ByteBuffer from) throws IOException {
        int first = from.position();
        eachStripe(offset, from.remaining(), (at, to) -> {
            ByteBuffer part = from.slice(first + (int) (at - offset), (int) (to - at));
            if (runEnd(true, at, to) == to) {
                data.write(at, part);
            } else {
                writeSome(at, to, part);
            }
        });
        from.position(from.limit());
    }

    private void writeSome(long at, long to, ByteBuffer bytes) throws IOException {
        long head = Math.min(to, startOf(header.blocksTo(at)));
        long tail = wholeEnd(head, to);
        writeInBlock(at, bytes.slice(0, (int) (head - at)));
        if (head < tail) {
            synchronized (lockOf(at)) {
                data.write(head, bytes.slice((int) (head - at), (int) (tail - head)));
                claim(head, tail);
            }
        }
        writeInBlock(tail, bytes.slice((int) (tail - at), (int) (to - tail)));
    }

    /** Where the last block ends of which all is behind {@code from} and before {@code to}. */
    private long wholeEnd(long from, long to) {
        return to == size() ? to : Math.max(from, startOf(to / header.blockBytes()));
    }

    private void claim(long from, long to) throws IOException {
        map.claim(from / header.blockBytes(), header.blocksTo(to));
    }

    /** A part of one block, maybe nothing. What is around it comes from the backup, unless it is there. */
    private void writeInBlock(long at, ByteBuffer bytes) throws IOException {
        if (!bytes.hasRemaining()) {
            return;
        }
        long block = at / header.blockBytes();
        ByteBuffer whole = ByteBuffer.allocate((int) (endOf(block) - startOf(block)));
        boolean wasThere = map.has(block);
        if (!wasThere) {
            backup.read(startOf(block), whole); // It may take long, so nobody is held up meanwhile.
            whole.flip();
        }
        synchronized (lockOf(at)) {
            if (wasThere || map.has(block)) {
                data.write(at, bytes);
            } else {
                whole.put((int) (at - startOf(block)), bytes, bytes.position(), bytes.remaining());
                data.write(startOf(block), whole);
                map.claim(block, block + 1);
            }
        }
    }

    @Override
    public void zero(long offset, long bytes, boolean mayBeHole) throws IOException {
        eachStripe(offset, bytes, (at, to) -> {
            long head = Math.min(to, startOf(header.blocksTo(at)));
            long tail = wholeEnd(head, to);
            writeInBlock(at, ByteBuffer.allocate((int) (head - at)));
            if (head < tail) {
                synchronized (lockOf(at)) {
                    boolean isZero = data.isBlank() && runEnd(false, head, tail) == tail;
                    if (!isZero || !mayBeHole) {
                        data.zero(head, tail - head, mayBeHole);
                    }
                    claim(head, tail);
                }
            }
            writeInBlock(tail, ByteBuffer.allocate((int) (to - tail)));
        });
    }

    /** Whole blocks alone. Those that are not there yet need not come from the backup any more. */
    @Override
    public void trim(long offset, long bytes) throws IOException {
        eachStripe(offset, bytes, (at, to) -> {
            long head = Math.min(to, startOf(header.blocksTo(at)));
            long tail = wholeEnd(head, to);
            if (head < tail) {
                synchronized (lockOf(at)) {
                    var unused = data.makeHole(head, tail - head);
                    claim(head, tail);
                }
            }
        });
    }

    @Override
    public void flush() throws IOException {
        traffic.during(this::makeDurable);
    }

    /** The same for whoever is no guest. */
    void makeDurable() throws IOException {
        map.flush(data::force);
    }

    /** Writes bytes of the backup where nobody has written yet, within one stripe; whole blocks. */
    void fill(long from, ByteBuffer bytes) throws IOException {
        long to = from + bytes.remaining();
        synchronized (lockOf(from)) {
            for (long at = from; at < to; ) {
                boolean there = isThere(at);
                long end = runEnd(there, at, to);
                if (!there) {
                    put(at, bytes.slice((int) (at - from), (int) (end - at)));
                    claim(at, end);
                }
                at = end;
            }
        }
    }

    /** Waits until the disk has taken what was filled there: a guest's flush need not, then. */
    void writeOut(long from, long to) {
        data.writeOut(from, to - from);
    }

    /** Zeros of the backup, likewise. */
    void fillZeros(long from, long to) throws IOException {
        synchronized (lockOf(from)) {
            for (long at = from; at < to; ) {
                boolean there = isThere(at);
                long end = runEnd(there, at, to);
                if (!there) {
                    if (!data.isBlank()) {
                        data.zero(at, end - at, true);
                    }
                    claim(at, end);
                }
                at = end;
            }
        }
    }

    /** A blank file needs no zeros. */
    private void put(long at, ByteBuffer bytes) throws IOException {
        if (!data.isBlank()) {
            data.write(at, bytes);
            return;
        }
        int length = bytes.limit();
        for (int from = 0; from < length; ) {
            boolean zero = isZero(bytes, from);
            int to = from;
            while (to < length && isZero(bytes, to) == zero) {
                to = Math.min(length, to + LiveHeader.LEAST_BLOCK_BYTES);
            }
            if (!zero) {
                data.write(at + from, bytes.slice(from, to - from));
            }
            from = to;
        }
    }

    private static boolean isZero(ByteBuffer bytes, int from) {
        int end = Math.min(bytes.limit(), from + LiveHeader.LEAST_BLOCK_BYTES);
        for (int i = from; i + Long.BYTES <= end; i += Long.BYTES) {
            if (bytes.getLong(i) != 0) {
                return false;
            }
        }
        for (int i = Math.max(from, end - end % Long.BYTES); i < end; i++) {
            if (bytes.get(i) != 0) {
                return false;
            }
        }
        return true;
    }
}
