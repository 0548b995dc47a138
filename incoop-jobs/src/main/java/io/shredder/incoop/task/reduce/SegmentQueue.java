// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.reduce;

import io.shredder.incoop.task.chunk.KeyPrefix;
import io.shredder.incoop.task.chunk.RawInput;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.mapred.IFile;
import org.apache.hadoop.util.Progress;

/**
 * All records of sorted segments in the order of their keys, equal ones in the order of their segments. A tree of
 * losers (Knuth, The Art of Computer Programming 3, 5.4.1) over the segments' current keys: a record costs one
 * comparison a level, most of them of {@linkplain KeyPrefix two numbers}. With the many and small segments of an
 * incremental run Hadoop's queue, which compares two keys a level through two buffers each, costs more than the
 * reducer. One thread.
 */
final class SegmentQueue<K, V> extends RawInput {

    private static final int RECORDS_BETWEEN_PROGRESS = 4096;

    private final List<IFile.Reader<K, V>> segments;
    private final RawComparator<?> order;
    private final KeyPrefix prefix;
    private final Progress progress = new Progress();
    private final double allBytes;

    private final DataInputBuffer next = new DataInputBuffer();
    private final byte[][] keys;
    private final int[] starts;
    private final int[] lengths;
    private final long[] prefixes;
    private final boolean[] ended;

    /** Of the tree's inner places, 1 and up, which segment has lost there. */
    private final int[] losers;

    private int winner = -1;
    private long records;

    /**
     * @param segments each sorted; closed when all is read, and by {@link #close}
     * @param order of their keys
     */
    SegmentQueue(List<IFile.Reader<K, V>> segments, RawComparator<?> order) {
        this.segments = segments;
        this.order = order;
        this.prefix = KeyPrefix.of(order);
        this.allBytes = segments.stream().mapToDouble(IFile.Reader::getLength).sum();
        int count = segments.size();
        this.keys = new byte[count][];
        this.starts = new int[count];
        this.lengths = new int[count];
        this.prefixes = new long[count];
        this.ended = new boolean[count];
        this.losers = new int[count];
    }

    @Override
    public boolean next() throws IOException {
        if (winner < 0) {
            if (segments.isEmpty()) {
                return false;
            }
            for (int segment = 0; segment < segments.size(); segment++) {
                advance(segment);
            }
            winner = play(1);
        } else if (!ended[winner]) {
            advance(winner);
            replay();
        }
        if (ended[winner]) {
            progress.set(1);
            return false;
        }
        key.reset(keys[winner], starts[winner], lengths[winner]);
        segments.get(winner).nextRawValue(value);
        if (++records % RECORDS_BETWEEN_PROGRESS == 0) {
            tellProgress();
        }
        return true;
    }

    private void advance(int segment) throws IOException {
        IFile.Reader<K, V> reader = segments.get(segment);
        if (!reader.nextRawKey(next)) {
            ended[segment] = true;
            reader.close();
            return;
        }
        byte[] bytes = next.getData();
        int start = next.getPosition();
        int length = next.getLength() - start;
        keys[segment] = bytes;
        starts[segment] = start;
        lengths[segment] = length;
        prefixes[segment] = prefix.of(bytes, start, length);
    }

    /** The winner below a place of the tree; segments are its leaves, places behind the inner ones. */
    private int play(int place) {
        int count = segments.size();
        if (place >= count) {
            return place - count;
        }
        int left = play(2 * place);
        int right = play(2 * place + 1);
        boolean leftWins = beats(left, right);
        losers[place] = leftWins ? right : left;
        return leftWins ? left : right;
    }

    /** The last winner has another key now. */
    private void replay() {
        int best = winner;
        for (int place = (best + segments.size()) >>> 1; place > 0; place >>>= 1) {
            int other = losers[place];
            if (beats(other, best)) {
                losers[place] = best;
                best = other;
            }
        }
        winner = best;
    }

    private boolean beats(int a, int b) {
        if (ended[a] || ended[b]) {
            return !ended[a];
        }
        if (prefixes[a] != prefixes[b]) {
            return Long.compareUnsigned(prefixes[a], prefixes[b]) < 0;
        }
        int compared = order.compare(keys[a], starts[a], lengths[a], keys[b], starts[b], lengths[b]);
        return compared != 0 ? compared < 0 : a < b;
    }

    private void tellProgress() throws IOException {
        double read = 0;
        for (IFile.Reader<K, V> segment : segments) {
            read += segment.getPosition();
        }
        // As in Hadoop's own merges, positions are of unpacked bytes and lengths of packed ones.
        progress.set((float) Math.min(1, read / allBytes));
    }

    @Override
    public Progress getProgress() {
        return progress;
    }

    @Override
    public void close() throws IOException {
        for (IFile.Reader<K, V> segment : segments) {
            segment.close();
        }
    }
}
