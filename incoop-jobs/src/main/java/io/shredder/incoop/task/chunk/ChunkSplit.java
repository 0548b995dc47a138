// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.chunk;

import io.shredder.incoop.input.InputChunk;
import io.shredder.incoop.world.Sightings;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.util.StringUtils;

/**
 * The split that a chunk's mapper sees, of either API: Hadoop's own class, as mappers test for it. Its file is the true
 * one; where in it the split begins and how long it is belongs to a plain run's splits, so a mapper that asks for that
 * runs plainly.
 */
final class ChunkSplit {

    private ChunkSplit() {}

    /** For the API of {@code mapreduce}. */
    static FileSplit ofNewApi(InputChunk chunk, Sightings sightings) {
        return watched(
                new FileSplit(new Path(chunk.path()), chunk.offset(), chunk.length(), StringUtils.emptyStringArray),
                sightings);
    }

    /** For the API of {@code mapred}. */
    static org.apache.hadoop.mapred.FileSplit ofOldApi(InputChunk chunk, Sightings sightings) {
        return watched(
                new org.apache.hadoop.mapred.FileSplit(
                        new Path(chunk.path()), chunk.offset(), chunk.length(), StringUtils.emptyStringArray),
                sightings);
    }

    private static <S extends InputSplit> S watched(S split, Sightings sightings) {
        sightings.position().watchSplit(split, sightings);
        return split;
    }
}
