// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.server.stage.RestoreTimes;
import io.shredder.backup.server.targets.RestoreTarget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RestoreStepsTest {

    private static final int CHUNK = 256 << 10;

    /** Counts what it gets, which must follow each other. */
    private static final class Counted implements RestoreTarget {
        private long position;
        private long writes;

        @Override
        public boolean takesAnyOrder() {
            return true;
        }

        @Override
        public void write(long at, ByteBuffer bytes) {
            throw new AssertionError("there are only zeros");
        }

        @Override
        public void writeZeros(long at, long count) {
            assertThat(at).isEqualTo(position);
            position += count;
            writes++;
        }

        @Override
        public void commit(long imageBytes) {}

        @Override
        public void close() {}
    }

    /** Each would be remembered while a chunk before it is fetched: of terabytes, millions. */
    @Test
    void zerosThatFollowEachOtherAreFewSteps() throws IOException {
        Counted target = new Counted();
        AtomicLong written = new AtomicLong();
        RestoreSteps steps = new RestoreSteps(null, target, () -> 1 << 20, written, new RestoreTimes());
        long chunks = (1L << 40) / CHUNK + 1;
        for (long i = 0; i < chunks; i++) {
            steps.zeros(CHUNK);
        }
        steps.finish();
        assertThat(target.position).isEqualTo(chunks * CHUNK);
        assertThat(written).hasValue(chunks * CHUNK);
        assertThat(target.writes).isEqualTo(1025);
    }
}
