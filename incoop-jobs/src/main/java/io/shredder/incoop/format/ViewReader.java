// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.format;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.RecordReader;

/** Records of a chunk that is shown as a file for as long as this is open. */
final class ViewReader<K, V> extends ForwardingReader<K, V> {

    private final Path view;

    ViewReader(RecordReader<K, V> records, Path view) {
        super(records);
        this.view = view;
    }

    @Override
    public void close() throws IOException {
        try {
            super.close();
        } finally {
            ChunkFileSystem.hide(view);
        }
    }
}
