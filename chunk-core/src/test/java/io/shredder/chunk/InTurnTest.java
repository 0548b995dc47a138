// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class InTurnTest {

    private static final String CLASS = "[engine:junit-jupiter]/[class:io.shredder.A]/";

    @Test
    void eachTestHasItsTurnOnceInSoManyDays() {
        for (String name : List.of("[method:a()]", "[method:another(java.nio.file.Path)]", "[method:z()]")) {
            for (int days = 1; days < 8; days++) {
                int every = days;
                assertThat(LongStream.range(20_000, 20_000 + days)
                                .filter(day -> InTurn.Turn.isTurn(CLASS + name, every, day)))
                        .as("%s in %s days", name, days)
                        .hasSize(1);
            }
        }
    }

    @Test
    void ofATestWithParametersOneSetInSoManyHasItsTurnEachDay() {
        for (long day = 20_000; day < 20_010; day++) {
            long today = day;
            assertThat(IntStream.rangeClosed(1, 12).filter(set -> isTurn(set, today)))
                    .hasSize(4);
        }
    }

    private static boolean isTurn(int set, long day) {
        String id = CLASS + "[test-template:a(int)]/[test-template-invocation:#" + set + "]";
        return InTurn.Turn.isTurn(id, 3, day);
    }
}
