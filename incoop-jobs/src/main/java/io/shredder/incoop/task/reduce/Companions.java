// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.reduce;

import io.shredder.incoop.task.chunk.RawInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.util.Progress;

/**
 * Sorted records for a combiner, less those that are alone with their key: these have been combined where they come
 * from, so they are set apart, to be written as they are when the combiner has written what precedes them. One
 * thread.
 */
final class Companions extends RawInput {

    /** So that little is held: a record that finds as much set apart goes to the combiner, too. */
    private static final int MOST_BYTES_APART = 1 << 18;

    /** Takes what was set apart. */
    interface Sink {
        void write(DataInputBuffer key, DataInputBuffer value) throws IOException;
    }

    private static final class RawRecord {
        private final DataOutputBuffer key = new DataOutputBuffer();
        private final DataOutputBuffer value = new DataOutputBuffer();

        void copy(DataInputBuffer fromKey, DataInputBuffer fromValue) throws IOException {
            copy(fromKey, key);
            copy(fromValue, value);
        }

        private static void copy(DataInputBuffer from, DataOutputBuffer to) throws IOException {
            to.reset();
            to.write(from.getData(), from.getPosition(), from.getLength() - from.getPosition());
        }
    }

    private final RawKeyValueIterator merged;
    private final RawComparator<?> grouping;
    private final Sink sink;
    private final DataInputBuffer apartKey = new DataInputBuffer();
    private final DataInputBuffer apartValue = new DataInputBuffer();
    private RawRecord here = new RawRecord();
    private RawRecord ahead = new RawRecord();
    private boolean isAhead;
    private boolean isLikeHere;

    /** Lengths of key and value, then both, of each record. */
    private DataOutputBuffer apart = new DataOutputBuffer();

    private DataOutputBuffer spare = new DataOutputBuffer();

    /** How many bytes of {@code apart} are written and gone. */
    private long written;

    /**
     * For each group that was given and not begun: how many bytes of {@code apart} precede it, counted from its
     * first.
     */
    private final Deque<Long> preceding = new ArrayDeque<>();

    /**
     * @param merged sorted; closed with this
     * @param grouping the combiner's
     */
    Companions(RawKeyValueIterator merged, RawComparator<?> grouping, Sink sink) throws IOException {
        this.merged = merged;
        this.grouping = grouping;
        this.sink = sink;
        fetch();
    }

    private void fetch() throws IOException {
        isAhead = merged.next();
        if (isAhead) {
            ahead.copy(merged.getKey(), merged.getValue());
        }
    }

    @Override
    public boolean next() throws IOException {
        while (isAhead) {
            boolean begins = !isLikeHere;
            RawRecord free = here;
            here = ahead;
            ahead = free;
            fetch();
            isLikeHere = isAhead
                    && grouping.compare(
                                    here.key.getData(),
                                    0,
                                    here.key.getLength(),
                                    ahead.key.getData(),
                                    0,
                                    ahead.key.getLength())
                            == 0;
            if (!begins || isLikeHere || apart.getLength() >= MOST_BYTES_APART) {
                if (begins) {
                    preceding.add(written + apart.getLength());
                }
                key.reset(here.key.getData(), here.key.getLength());
                value.reset(here.value.getData(), here.value.getLength());
                return true;
            }
            setApart();
        }
        return false;
    }

    private void setApart() throws IOException {
        apart.writeInt(here.key.getLength());
        apart.writeInt(here.value.getLength());
        apart.write(here.key.getData(), 0, here.key.getLength());
        apart.write(here.value.getData(), 0, here.value.getLength());
    }

    /**
     * Writes what precedes the next group; to be called when the combiner has written the one before it, and not yet
     * that one.
     */
    void groupBegins() throws IOException {
        writeApart((int) (preceding.remove() - written));
    }

    /** Writes what is left; to be called when the combiner has written all groups. */
    void groupsEnd() throws IOException {
        writeApart(apart.getLength());
    }

    private void writeApart(int bytes) throws IOException {
        ByteBuffer records = ByteBuffer.wrap(apart.getData(), 0, bytes);
        while (records.hasRemaining()) {
            int keyLength = records.getInt();
            int valueLength = records.getInt();
            apartKey.reset(apart.getData(), records.position(), keyLength);
            apartValue.reset(apart.getData(), records.position() + keyLength, valueLength);
            records.position(records.position() + keyLength + valueLength);
            sink.write(apartKey, apartValue);
        }
        spare.reset();
        spare.write(apart.getData(), bytes, apart.getLength() - bytes);
        DataOutputBuffer emptied = apart;
        apart = spare;
        spare = emptied;
        written += bytes;
    }

    @Override
    public void close() throws IOException {
        merged.close();
    }

    @Override
    public Progress getProgress() {
        return merged.getProgress();
    }
}
