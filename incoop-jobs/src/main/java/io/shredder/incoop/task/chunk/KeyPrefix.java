// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.chunk;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableUtils;

/**
 * The beginning of a serialized key as a number: two keys whose numbers differ are in the order of their numbers, taken
 * as unsigned; of others the comparator must be asked. Most comparisons are over with the numbers, which lie side by
 * side, where the keys lie anywhere. Known of comparators of Hadoop's own, by their very class. Safe for use by
 * several threads.
 */
public enum KeyPrefix {
    /** Of a comparator that nobody knows: always 0. */
    NONE {
        @Override
        public long of(byte[] bytes, int start, int length) {
            return 0;
        }
    },

    /** {@link Text.Comparator}: the bytes behind a length. */
    TEXT {
        @Override
        public long of(byte[] bytes, int start, int length) {
            int skipped = length == 0 ? 0 : WritableUtils.decodeVIntSize(bytes[start]);
            return first(bytes, start + skipped, length - skipped);
        }
    },

    /** {@link BytesWritable.Comparator}: the bytes behind a length of four bytes. */
    BYTES {
        @Override
        public long of(byte[] bytes, int start, int length) {
            return first(bytes, start + Integer.BYTES, length - Integer.BYTES);
        }
    },

    /** {@link LongWritable.Comparator}: a signed number. */
    LONG {
        @Override
        public long of(byte[] bytes, int start, int length) {
            return first(bytes, start, Math.min(length, Long.BYTES)) ^ Long.MIN_VALUE;
        }
    },

    /** {@link IntWritable.Comparator}: a signed number. */
    INT {
        @Override
        public long of(byte[] bytes, int start, int length) {
            return first(bytes, start, Math.min(length, Integer.BYTES)) ^ Long.MIN_VALUE;
        }
    };

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** The number of a key. */
    public abstract long of(byte[] bytes, int start, int length);

    /** That which goes with a comparator. */
    public static KeyPrefix of(RawComparator<?> order) {
        Class<?> type = order.getClass();
        if (type == Text.Comparator.class) {
            return TEXT;
        }
        if (type == BytesWritable.Comparator.class) {
            return BYTES;
        }
        if (type == LongWritable.Comparator.class) {
            return LONG;
        }
        return type == IntWritable.Comparator.class ? INT : NONE;
    }

    /** Up to eight bytes, zeros behind them: a key that another begins with does not come after it. */
    private static long first(byte[] bytes, int start, int length) {
        if (length >= Long.BYTES) {
            return (long) LONGS.get(bytes, start);
        }
        long prefix = 0;
        for (int i = 0; i < length; i++) {
            prefix |= (bytes[start + i] & 0xFFL) << (Long.SIZE - Byte.SIZE * (i + 1));
        }
        return prefix;
    }
}
