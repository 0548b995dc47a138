// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import io.shredder.incoop.format.PositionWatch;
import io.shredder.incoop.plan.InputChunk;
import io.shredder.incoop.world.Sightings;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.util.StringUtils;

/**
 * The split that a chunk's mapper sees, of either API. Its file is the true one; where in it the split begins and how long it is belongs
 * to a plain run's splits, so a mapper that asks for that runs plainly.
 */
final class ChunkSplit {

    private ChunkSplit() {}

    private record Asked(PositionWatch watch, Sightings sightings) {

        void file() {
            watch.asked("it asks for its split's file");
        }

        void place() {
            sightings.onlyPlain("it asks where its split begins or how long it is, and a chunk is no split");
        }
    }

    /** For the API of {@code mapreduce}. */
    static FileSplit ofNewApi(InputChunk chunk, PositionWatch watch, Sightings sightings) {
        return new NewApi(chunk, new Asked(watch, sightings));
    }

    /** For the API of {@code mapred}. */
    static org.apache.hadoop.mapred.FileSplit ofOldApi(InputChunk chunk, PositionWatch watch, Sightings sightings) {
        return new OldApi(chunk, new Asked(watch, sightings));
    }

    private static final class NewApi extends FileSplit {

        private final Asked asked;

        NewApi(InputChunk chunk, Asked asked) {
            super(new Path(chunk.path()), chunk.offset(), chunk.length(), StringUtils.emptyStringArray);
            this.asked = asked;
        }

        @Override
        public Path getPath() {
            asked.file();
            return super.getPath();
        }

        @Override
        public long getStart() {
            asked.place();
            return super.getStart();
        }

        @Override
        public long getLength() {
            asked.place();
            return super.getLength();
        }

        @Override
        public String toString() {
            asked.place();
            return super.toString();
        }
    }

    private static final class OldApi extends org.apache.hadoop.mapred.FileSplit {

        private final Asked asked;

        OldApi(InputChunk chunk, Asked asked) {
            super(new Path(chunk.path()), chunk.offset(), chunk.length(), StringUtils.emptyStringArray);
            this.asked = asked;
        }

        @Override
        public Path getPath() {
            asked.file();
            return super.getPath();
        }

        @Override
        public long getStart() {
            asked.place();
            return super.getStart();
        }

        @Override
        public long getLength() {
            asked.place();
            return super.getLength();
        }

        @Override
        public String toString() {
            asked.place();
            return super.toString();
        }
    }
}
