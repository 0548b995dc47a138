// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class RecheckTest {

    @Test
    void aJobThatWasNotAskedReusesAll() {
        assertThat(picked(Recheck.of(new Configuration(false)))).isZero();
    }

    @Test
    void aFractionIsPickedAndTheSeedSaysWhich() {
        assertThat(picked(asked(0, 1))).isZero();
        assertThat(picked(asked(1, 1))).isEqualTo(1000);
        assertThat(picked(asked(0.1, 1))).isBetween(50L, 150L).isEqualTo(picked(asked(0.1, 1)));
        assertThat(IntStream.range(0, 1000)
                        .filter(i ->
                                asked(0.5, 1).picks(chunk(i)) != asked(0.5, 2).picks(chunk(i))))
                .isNotEmpty();
    }

    private static Recheck asked(double fraction, long seed) {
        Configuration conf = new Configuration(false);
        Recheck.ask(conf, fraction, seed);
        return Recheck.of(conf);
    }

    private static long picked(Recheck recheck) {
        return IntStream.range(0, 1000).filter(i -> recheck.picks(chunk(i))).count();
    }

    private static Fingerprint chunk(int number) {
        return Fingerprint.ofData(ByteBuffer.allocate(Integer.BYTES).putInt(0, number));
    }
}
