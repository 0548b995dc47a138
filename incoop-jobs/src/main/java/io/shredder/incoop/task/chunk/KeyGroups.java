// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.chunk;

import java.io.OutputStream;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.util.IndexedSortable;
import org.apache.hadoop.util.QuickSort;

/**
 * Serialized records, those of one partition whose keys have the same bytes as one group: the key once, and its
 * values in the order in which they came. One array holds keys and values; a value has before it where the next one
 * of its group begins (4 bytes, 0: there is none) and its length (4 bytes). One thread.
 */
final class KeyGroups {

    private static final int FIRST_BYTES = 1 << 20;
    private static final int FIRST_GROUPS = 1 << 12;
    private static final int VALUE_HEADER = 8;
    private static final int BYTES_PER_GROUP = 8 * Integer.BYTES;

    private final RawComparator<?> order;

    /** Its first byte is not used, so that 0 is no place. */
    private byte[] bytes = new byte[FIRST_BYTES];

    private int length = 1;
    private int valueHeader;
    private int group;

    private int count;
    private int[] partitions = new int[FIRST_GROUPS];
    private int[] keyStarts = new int[FIRST_GROUPS];
    private int[] keyLengths = new int[FIRST_GROUPS];
    private int[] hashes = new int[FIRST_GROUPS];
    private int[] firstValues = new int[FIRST_GROUPS];
    private int[] lastValues = new int[FIRST_GROUPS];

    /** Groups by hash, plus 1; 0 is free. */
    private int[] slots = new int[2 * FIRST_GROUPS];

    private int[] sorted = new int[0];
    private long[] sortedPrefixes = new long[0];

    KeyGroups(RawComparator<?> order) {
        this.order = order;
    }

    /** Where serializers write. */
    OutputStream sink() {
        return new OutputStream() {
            @Override
            public void write(int b) {
                reserve(1);
                bytes[length++] = (byte) b;
            }

            @Override
            public void write(byte[] from, int offset, int count) {
                reserve(count);
                System.arraycopy(from, offset, bytes, length, count);
                length += count;
            }
        };
    }

    private void reserve(int more) {
        if (more > bytes.length - length) {
            long needed = Math.max((long) length + more, bytes.length + bytes.length / 2L);
            bytes = Arrays.copyOf(bytes, (int) Math.min(needed, Integer.MAX_VALUE - 16));
        }
    }

    /** To be called before a key is written to the sink; gives its place. */
    int beginKey() {
        return length;
    }

    /** To be called when it is written, and before its value is; gives its length. */
    int endKey(int start, int partition) {
        int keyLength = length - start;
        group = groupOf(start, keyLength, partition);
        if (keyStarts[group] != start) {
            length = start;
        }
        reserve(VALUE_HEADER);
        valueHeader = length;
        length += VALUE_HEADER;
        return keyLength;
    }

    /** To be called when the value is written; gives its length. */
    int endValue() {
        int valueLength = length - valueHeader - VALUE_HEADER;
        putInt(valueHeader, 0);
        putInt(valueHeader + Integer.BYTES, valueLength);
        if (firstValues[group] == 0) {
            firstValues[group] = valueHeader;
        } else {
            putInt(lastValues[group], valueHeader);
        }
        lastValues[group] = valueHeader;
        return valueLength;
    }

    private int groupOf(int start, int keyLength, int partition) {
        int hash = (WritableComparator.hashBytes(bytes, start, keyLength) + 31 * partition) * 0x9E3779B9;
        int mask = slots.length - 1;
        int slot = hash >>> 7 & mask;
        for (; slots[slot] != 0; slot = slot + 1 & mask) {
            int known = slots[slot] - 1;
            if (hashes[known] == hash
                    && partitions[known] == partition
                    && Arrays.equals(
                            bytes,
                            keyStarts[known],
                            keyStarts[known] + keyLengths[known],
                            bytes,
                            start,
                            start + keyLength)) {
                return known;
            }
        }
        slots[slot] = count + 1;
        if (count == partitions.length) {
            growGroups();
        }
        partitions[count] = partition;
        keyStarts[count] = start;
        keyLengths[count] = keyLength;
        hashes[count] = hash;
        firstValues[count] = 0;
        int added = count++;
        if (2 * count > slots.length) {
            growSlots();
        }
        return added;
    }

    private void growGroups() {
        int more = 2 * count;
        partitions = Arrays.copyOf(partitions, more);
        keyStarts = Arrays.copyOf(keyStarts, more);
        keyLengths = Arrays.copyOf(keyLengths, more);
        hashes = Arrays.copyOf(hashes, more);
        firstValues = Arrays.copyOf(firstValues, more);
        lastValues = Arrays.copyOf(lastValues, more);
    }

    private void growSlots() {
        slots = new int[2 * slots.length];
        int mask = slots.length - 1;
        for (int known = 0; known < count; known++) {
            int slot = hashes[known] >>> 7 & mask;
            while (slots[slot] != 0) {
                slot = slot + 1 & mask;
            }
            slots[slot] = known + 1;
        }
    }

    /** About how many bytes are held. */
    long memory() {
        return length + (long) BYTES_PER_GROUP * count;
    }

    /** Keys and values lie here, where a cursor says. */
    byte[] bytes() {
        return bytes;
    }

    /** Sorts the groups by partition and key. Nothing is to be added then. */
    void sort() {
        sorted = withValues();
        sortedPrefixes = new long[sorted.length];
        KeyPrefix prefix = KeyPrefix.of(order);
        for (int i = 0; i < sorted.length; i++) {
            sortedPrefixes[i] = prefix.of(bytes, keyStarts[sorted[i]], keyLengths[sorted[i]]);
        }
        // Hadoop's refuses to sort nothing.
        if (sorted.length > 1) {
            new QuickSort().sort(new ByPartitionAndKey(), 0, sorted.length);
        }
    }

    /** The groups as they came. One whose only value could not be written has none, and is no record's. */
    private int[] withValues() {
        return IntStream.range(0, count).filter(one -> firstValues[one] != 0).toArray();
    }

    /** What is held is of no use any more. */
    void release() {
        bytes = new byte[0];
        slots = new int[0];
        count = 0;
    }

    /** All records, a group after the other. */
    Cursor all() {
        int[] asTheyCame = withValues();
        return new Cursor(asTheyCame, 0, asTheyCame.length);
    }

    /** The records of a partition, in order; after {@link #sort}. */
    Cursor sorted(int partition) {
        int from = firstOf(partition);
        return new Cursor(sorted, from, firstOf(partition + 1));
    }

    private int firstOf(int partition) {
        int from = 0;
        int to = sorted.length;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (partitions[sorted[middle]] < partition) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }

    private int getInt(int place) {
        return (bytes[place] & 0xFF) << 24
                | (bytes[place + 1] & 0xFF) << 16
                | (bytes[place + 2] & 0xFF) << 8
                | (bytes[place + 3] & 0xFF);
    }

    private void putInt(int place, int value) {
        bytes[place] = (byte) (value >> 24);
        bytes[place + 1] = (byte) (value >> 16);
        bytes[place + 2] = (byte) (value >> 8);
        bytes[place + 3] = (byte) value;
    }

    private final class ByPartitionAndKey implements IndexedSortable {
        @Override
        public int compare(int i, int j) {
            int a = sorted[i];
            int b = sorted[j];
            if (partitions[a] != partitions[b]) {
                return Integer.compare(partitions[a], partitions[b]);
            }
            return sortedPrefixes[i] != sortedPrefixes[j]
                    ? Long.compareUnsigned(sortedPrefixes[i], sortedPrefixes[j])
                    : order.compare(bytes, keyStarts[a], keyLengths[a], bytes, keyStarts[b], keyLengths[b]);
        }

        @Override
        public void swap(int i, int j) {
            int kept = sorted[i];
            sorted[i] = sorted[j];
            sorted[j] = kept;
            long keptPrefix = sortedPrefixes[i];
            sortedPrefixes[i] = sortedPrefixes[j];
            sortedPrefixes[j] = keptPrefix;
        }
    }

    /** Goes over records. */
    final class Cursor {
        private final int[] through;
        private final int to;
        private int at;
        private int current;
        private int value;

        private Cursor(int[] through, int from, int to) {
            this.through = through;
            this.at = from;
            this.to = to;
        }

        boolean hasNext() {
            return at < to || (value != 0 && getInt(value) != 0);
        }

        boolean next() {
            int following = value == 0 ? 0 : getInt(value);
            if (following == 0) {
                if (at == to) {
                    return false;
                }
                current = through[at++];
                following = firstValues[current];
            }
            value = following;
            return true;
        }

        int partition() {
            return partitions[current];
        }

        int keyStart() {
            return keyStarts[current];
        }

        int keyLength() {
            return keyLengths[current];
        }

        int valueStart() {
            return value + VALUE_HEADER;
        }

        int valueLength() {
            return getInt(value + Integer.BYTES);
        }
    }
}
