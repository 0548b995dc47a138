// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.chunk;

import io.shredder.incoop.format.ForwardingReader;
import java.io.IOException;
import org.apache.hadoop.mapreduce.RecordReader;

/**
 * A chunk's records, so many to a mapper: each mapper sees its share as if there were no more. For NLineInputFormat,
 * whose mappers may rely on how many lines they get.
 */
final class MapperShares<K, V> extends ForwardingReader<K, V> {

    private final int recordsPerMapper;
    private int left;
    private boolean ahead;

    /** @param recordsPerMapper at least 1 */
    MapperShares(RecordReader<K, V> records, int recordsPerMapper) {
        super(records);
        this.recordsPerMapper = recordsPerMapper;
        this.left = recordsPerMapper;
    }

    /** Passes over what the last mapper has left of its share; says whether there are records for another one. */
    boolean nextShare() throws IOException, InterruptedException {
        boolean onlyOneShare = recordsPerMapper == Integer.MAX_VALUE;
        boolean more = !onlyOneShare;
        while (more && left > 0) {
            more = nextKeyValue();
        }
        ahead = more && super.nextKeyValue();
        left = recordsPerMapper;
        return ahead;
    }

    @Override
    public boolean nextKeyValue() throws IOException, InterruptedException {
        if (left == 0) {
            return false;
        }
        boolean more = ahead || super.nextKeyValue();
        ahead = false;
        left--;
        return more;
    }
}
