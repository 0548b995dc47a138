// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.shredder.it.integrity.WorkLog.Window;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkLogTest {
    @TempDir
    Path folder;

    private WorkLog log() throws IOException {
        return WorkLog.read(Files.writeString(folder.resolve("log"), "1000 0\n2000 100\n4000 200\n50"));
    }

    @Test
    void aRateIsOfAllWindowsTogetherAndEvenBetweenTwoLines() throws IOException {
        assertThat(log().rate(List.of(new Window(1000, 2000)))).isEqualTo(100);
        assertThat(log().rate(List.of(new Window(2000, 4000)))).isEqualTo(50);
        assertThat(log().rate(List.of(new Window(1500, 3000)))).isCloseTo(100 / 1.5, within(1e-9));
        assertThat(log().rate(List.of(new Window(1000, 1500), new Window(3000, 4000))))
                .isCloseTo(100 / 1.5, within(1e-9));
    }

    @Test
    void aLastLineThatIsStillBeingWrittenDoesNotCount() throws IOException {
        assertThat(log().reaches(4000)).isTrue();
        assertThat(log().reaches(4001)).isFalse();
    }

    @Test
    void aTimeOfWhichNothingIsToldIsAnError() {
        assertThatThrownBy(() -> log().rate(List.of(new Window(900, 2000))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the time 900: it tells of 1000 to 4000");
        assertThatThrownBy(() -> log().rate(List.of(new Window(2000, 4001)))).isInstanceOf(IOException.class);
    }

    @Test
    void theNeighboursPrimesAreRight() {
        long expected = IntStream.range(10_000_000, 10_002_000)
                .filter(number -> BigInteger.valueOf(number).isProbablePrime(50))
                .count();
        assertThat(PrimeSearch.primes()).isEqualTo((int) expected).isPositive();
    }
}
