// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.chunk;

import java.io.IOException;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.Nullable;

/**
 * A chunk's records for the old API, whose caller owns the key and the value and has them filled. The chunk's reader
 * fills its own, so those are handed out, and nothing is copied. Code that has more than one key or value at a time
 * would see each become the last record, so it runs plainly. Records may be taken by several threads, as of Hadoop's
 * own, by a MapRunnable that has them.
 */
final class OldApiReader<K, V> implements RecordReader<K, V> {

    private final org.apache.hadoop.mapreduce.RecordReader<K, V> records;
    private final Configuration conf;
    private final int chunkBytes;
    private final Consumer<String> onlyPlain;
    private @Nullable K ownKey;
    private @Nullable V ownValue;
    private boolean begun;
    private boolean ahead;
    private boolean more;

    /** @param onlyPlain told why the job has to run plainly, if it has to; throws */
    OldApiReader(
            org.apache.hadoop.mapreduce.RecordReader<K, V> records,
            Configuration conf,
            int chunkBytes,
            Consumer<String> onlyPlain) {
        this.records = records;
        this.conf = conf;
        this.chunkBytes = chunkBytes;
        this.onlyPlain = onlyPlain;
    }

    /** The key that {@link #next} fills; null if there is no record and the reader has no key before its first one. */
    @Override
    public synchronized @Nullable K createKey() {
        if (ownKey != null || begun) {
            onlyPlain.accept("its MapRunnable makes more than one key, and a chunk's reader fills one");
        }
        ownKey = own(records::getCurrentKey);
        return ownKey;
    }

    /** The value that {@link #next} fills; null if there is no record and the reader has none before its first one. */
    @Override
    public synchronized @Nullable V createValue() {
        if (ownValue != null || begun) {
            onlyPlain.accept("its MapRunnable makes more than one value, and a chunk's reader fills one");
        }
        ownValue = own(records::getCurrentValue);
        return ownValue;
    }

    @Override
    public synchronized boolean next(K key, V value) throws IOException {
        if ((ownKey != null && key != ownKey) || (ownValue != null && value != ownValue)) {
            onlyPlain.accept("its MapRunnable has other keys or values filled than it has made");
        }
        begun = true;
        try {
            if (!ahead) {
                more = records.nextKeyValue();
            }
            ahead = false;
            if (more) {
                fill(key, records.getCurrentKey());
                fill(value, records.getCurrentValue());
            }
            return more;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private <T> void fill(T target, T source) throws IOException {
        if (target == source) {
            return;
        }
        if (!(source instanceof Writable)) {
            onlyPlain.accept("its MapRunnable has keys or values of its own filled, which no Writables are");
        }
        ReflectionUtils.copy(conf, source, target);
    }

    private <T> @Nullable T own(Read<T> read) {
        T now = current(read);
        return now == null && lookAhead() ? current(read) : now;
    }

    private boolean lookAhead() {
        if (!ahead) {
            more = current(records::nextKeyValue);
            ahead = true;
        }
        return more;
    }

    /** The old API lets nothing be thrown here; its map task fails all the same. */
    private static <T> T current(Read<T> read) {
        try {
            return read.get();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private interface Read<T> {
        T get() throws IOException, InterruptedException;
    }

    /** Bytes of the chunk that are read, about. */
    @Override
    public synchronized long getPos() throws IOException {
        return (long) (getProgress() * chunkBytes);
    }

    @Override
    public synchronized float getProgress() throws IOException {
        try {
            return records.getProgress();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        records.close();
    }
}
