// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.io.WritableComparator;
import org.junit.jupiter.api.Test;

/** The numbers of keys are in the order of the keys, for each comparator of which they are known. */
class KeyPrefixTest {

    private final Random random = new Random(21);

    @Test
    void textsAreInTheOrderOfTheirNumbers() throws Exception {
        List<Writable> keys = new ArrayList<>(List.of(new Text(), new Text("\0"), new Text("\0\0"), new Text("a\0")));
        for (int i = 0; i < 300; i++) {
            keys.add(new Text(bytes(i % 3 == 0 ? 200 : 12)));
        }
        agrees(Text.class, keys, KeyPrefix.TEXT);
    }

    @Test
    void bytesAreInTheOrderOfTheirNumbers() throws Exception {
        List<Writable> keys = new ArrayList<>(List.of(new BytesWritable(), new BytesWritable(new byte[3])));
        for (int i = 0; i < 300; i++) {
            keys.add(new BytesWritable(bytes(12)));
        }
        agrees(BytesWritable.class, keys, KeyPrefix.BYTES);
    }

    @Test
    void numbersAreInTheOrderOfTheirNumbers() throws Exception {
        List<Writable> longs = new ArrayList<>();
        List<Writable> ints = new ArrayList<>();
        for (long number : new long[] {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, Integer.MAX_VALUE, 1L << 32}) {
            longs.add(new LongWritable(number));
            ints.add(new IntWritable((int) number));
        }
        for (int i = 0; i < 200; i++) {
            longs.add(new LongWritable(random.nextLong()));
            ints.add(new IntWritable(random.nextInt()));
        }
        agrees(LongWritable.class, longs, KeyPrefix.LONG);
        agrees(IntWritable.class, ints, KeyPrefix.INT);
    }

    @Test
    void ofOtherComparatorsNothingIsKnown() {
        assertThat(KeyPrefix.of(new LongWritable.DecreasingComparator())).isEqualTo(KeyPrefix.NONE);
        assertThat(KeyPrefix.of(new ChunkSortTest.IgnoringCase())).isEqualTo(KeyPrefix.NONE);
    }

    private byte[] bytes(int most) {
        byte[] bytes = new byte[random.nextInt(most + 1)];
        for (int i = 0; i < bytes.length; i++) {
            // Few values, so that many keys begin alike.
            bytes[i] = (byte) (random.nextInt(3) * 127);
        }
        return bytes;
    }

    private static void agrees(Class<? extends WritableComparable<?>> type, List<Writable> keys, KeyPrefix wanted)
            throws IOException {
        RawComparator<?> order = WritableComparator.get(type.asSubclass(WritableComparable.class));
        KeyPrefix prefix = KeyPrefix.of(order);
        assertThat(prefix).isEqualTo(wanted);
        int told = 0;
        for (Writable a : keys) {
            for (Writable b : keys) {
                byte[] first = serialized(a);
                byte[] second = serialized(b);
                int byNumber = Long.compareUnsigned(
                        prefix.of(first, 1, first.length - 1), prefix.of(second, 1, second.length - 1));
                if (byNumber != 0) {
                    told++;
                    assertThat(Integer.signum(byNumber))
                            .as("%s and %s", a, b)
                            .isEqualTo(Integer.signum(
                                    order.compare(first, 1, first.length - 1, second, 1, second.length - 1)));
                }
            }
        }
        assertThat(told).isPositive();
    }

    /** A byte that is not the key's, then the key. */
    private static byte[] serialized(Writable key) throws IOException {
        var out = new DataOutputBuffer();
        out.writeByte(7);
        key.write(out);
        return java.util.Arrays.copyOf(out.getData(), out.getLength());
    }
}
