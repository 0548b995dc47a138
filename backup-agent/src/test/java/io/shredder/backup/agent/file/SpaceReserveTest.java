// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpaceReserveTest {

    @TempDir
    private Path folder;

    @Test
    void aFullDiskGivesUpTheReserveAndTheWriteIsDoneAgain() throws IOException {
        Path file = folder.resolve("reserve");
        SpaceReserve reserve = new SpaceReserve(file, () -> 100_000);
        reserve.fill();
        assertThat(Files.size(file)).isEqualTo(100_000);
        AtomicInteger tries = new AtomicInteger();
        reserve.withRoom(() -> {
            tries.incrementAndGet();
            if (Files.size(file) > 0) {
                throw new IOException("No space left on device");
            }
        });
        assertThat(tries).hasValue(2);
        reserve.fill();
        assertThat(Files.size(file)).isEqualTo(100_000);
    }

    @Test
    void aReserveThatIsLargerThanItNeedBeIsCut() throws IOException {
        Path file = folder.resolve("reserve");
        new SpaceReserve(file, () -> 100_000).fill();
        new SpaceReserve(file, () -> 70_000).fill();
        assertThat(Files.size(file)).isEqualTo(70_000);
    }

    @Test
    void anotherErrorIsPassedOnAtOnceAndKeepsTheReserve() throws IOException {
        Path file = folder.resolve("reserve");
        SpaceReserve reserve = new SpaceReserve(file, () -> 1000);
        reserve.fill();
        AtomicInteger tries = new AtomicInteger();
        assertThatThrownBy(() -> reserve.withRoom(() -> {
                    tries.incrementAndGet();
                    throw new IOException("Input/output error");
                }))
                .hasMessage("Input/output error");
        assertThat(tries).hasValue(1);
        assertThat(Files.size(file)).isEqualTo(1000);
    }
}
