// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.chunk;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.Nullable;

/**
 * A chunk's records for the old API, whose caller owns the key and the value and has them filled. The chunk's reader
 * gives its own, so those are handed out, and nothing is copied as long as it keeps filling the same ones. Records may
 * be taken by several threads, as of Hadoop's own, by a MapRunnable that has them.
 */
final class OldApiReader<K, V> implements RecordReader<K, V> {

    private final org.apache.hadoop.mapreduce.RecordReader<K, V> records;
    private final Configuration conf;
    private final int chunkBytes;
    private boolean ahead;
    private boolean more;

    OldApiReader(org.apache.hadoop.mapreduce.RecordReader<K, V> records, Configuration conf, int chunkBytes) {
        this.records = records;
        this.conf = conf;
        this.chunkBytes = chunkBytes;
    }

    /** The first record's key, which {@link #next} fills; null if there is no record. */
    @Override
    public synchronized @Nullable K createKey() {
        return lookAhead() ? current(records::getCurrentKey) : null;
    }

    /** The first record's value, which {@link #next} fills; null if there is no record. */
    @Override
    public synchronized @Nullable V createValue() {
        return lookAhead() ? current(records::getCurrentValue) : null;
    }

    @Override
    public synchronized boolean next(K key, V value) throws IOException {
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
        if (target != source) {
            ReflectionUtils.copy(conf, source, target);
        }
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
