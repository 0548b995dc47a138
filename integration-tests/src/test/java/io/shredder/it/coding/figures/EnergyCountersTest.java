// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnergyCountersTest {
    private static final long RANGE = 262_143_328_850L;

    @TempDir
    private Path folder;

    private void counter(String entry, String name, long microjoules) throws IOException {
        Path counter = Files.createDirectories(folder.resolve(entry));
        Files.writeString(counter.resolve("name"), name + "\n");
        Files.writeString(counter.resolve("max_energy_range_uj"), RANGE + "\n");
        Files.writeString(counter.resolve("energy_uj"), microjoules + "\n");
    }

    @Test
    void socketsAreSummedAndTheirPartsAndTheWholeMachineAreNot() throws IOException {
        counter("intel-rapl:0", "package-0", 1_000_000);
        counter("intel-rapl:0:0", "core", 500_000);
        counter("intel-rapl:1", "package-1", 7_000_000);
        counter("intel-rapl:2", "psys", 9_000_000);
        counter("intel-rapl-mmio:0", "package-0", 1_000_000);
        EnergyCounters counters = EnergyCounters.in(folder);
        counter("intel-rapl:0", "package-0", 3_500_000);
        counter("intel-rapl:0:0", "core", 900_000);
        counter("intel-rapl:1", "package-1", 8_000_000);
        counter("intel-rapl:2", "psys", 20_000_000);
        assertThat(counters.joules()).isEqualTo(3.5);
        assertThat(counters.joules()).isZero();
    }

    @Test
    void aCounterThatBeganAgainHasGoneOn() throws IOException {
        counter("intel-rapl:0", "package-0", RANGE - 1_500_000);
        EnergyCounters counters = EnergyCounters.in(folder);
        counter("intel-rapl:0", "package-0", 500_000);
        assertThat(counters.joules()).isEqualTo(2);
    }

    @Test
    void whereThereIsNoneItSaysWhy() throws IOException {
        assertThatThrownBy(() -> EnergyCounters.in(folder.resolve("none"))).hasMessageStartingWith("no " + folder);
        assertThatThrownBy(() -> EnergyCounters.in(folder)).hasMessageStartingWith("no socket's counter");
        counter("intel-rapl:0", "package-0", 0);
        Files.writeString(folder.resolve("intel-rapl:0/energy_uj"), "many\n");
        assertThatThrownBy(() -> EnergyCounters.in(folder)).hasMessageEndingWith("has no number but 'many'");
    }
}
