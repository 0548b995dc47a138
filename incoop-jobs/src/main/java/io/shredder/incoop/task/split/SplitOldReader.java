// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.split;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.mapred.RecordReader;
import org.jspecify.annotations.Nullable;

/** What {@link SplitReader} is to jobs of the old API. */
public final class SplitOldReader<K, V> implements RecordReader<K, V> {

    private final RecordReader<K, V> own;
    private final SplitWatch watch;

    public SplitOldReader(RecordReader<K, V> own, SplitWatch watch) {
        this.own = own;
        this.watch = watch;
    }

    @Override
    public boolean next(K key, V value) throws IOException {
        return own.next(watch.seenKey(key), value);
    }

    @Override
    public @Nullable K createKey() {
        K key = own.createKey();
        try {
            return key == null ? null : watch.seenKey(key);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public V createValue() {
        return own.createValue();
    }

    @Override
    public long getPos() throws IOException {
        return own.getPos();
    }

    @Override
    public float getProgress() throws IOException {
        return own.getProgress();
    }

    @Override
    public void close() throws IOException {
        own.close();
    }
}
