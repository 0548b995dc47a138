// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.LongWritable;
import org.jspecify.annotations.Nullable;

/**
 * A record's offset in its file, right as ever, that notices being read. It can't notice another LongWritable being compared to
 * it, which reads the field behind its back.
 */
public final class WatchedOffset extends LongWritable {

    private final PositionWatch watch;

    /** @param watch told when the offset is read */
    public WatchedOffset(PositionWatch watch) {
        this.watch = watch;
    }

    /** The value as an ordinary key, for a map that passes it on: collectors insist on the exact class. */
    public LongWritable read() {
        return new LongWritable(get());
    }

    @Override
    public long get() {
        watch.asked();
        return super.get();
    }

    @Override
    public void write(DataOutput out) throws IOException {
        watch.asked();
        super.write(out);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        watch.asked();
        return super.equals(other);
    }

    @Override
    public int hashCode() {
        watch.asked();
        return super.hashCode();
    }

    @Override
    public int compareTo(LongWritable other) {
        watch.asked();
        return super.compareTo(other);
    }

    @Override
    public String toString() {
        watch.asked();
        return super.toString();
    }
}
