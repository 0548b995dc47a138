// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BirchPointsTest {
    @Test
    void everyLineIsAPointOfTheGridsClusters(@TempDir Path folder) throws Exception {
        List<String> lines = Files.readAllLines(BirchPoints.in(folder, 300_000));

        double squares = 0;
        for (String line : lines) {
            assertThat(line).matches("-?\\d+\\.\\d{3} -?\\d+\\.\\d{3}");
            for (String coordinate : line.split(" ", -1)) {
                double spacing = 4 * Math.sqrt(2);
                double value = Double.parseDouble(coordinate);
                double centre = Math.min(9, Math.max(0, Math.rint(value / spacing))) * spacing;
                squares += (value - centre) * (value - centre);
            }
        }
        // Mean squared distance to the centre: 2, the radius squared; a little less, since far points count for their
        // neighbour.
        assertThat(squares / lines.size()).isCloseTo(2, within(0.1));
    }

    @Test
    void theSameSeedGivesTheSameSample() {
        assertThat(BirchPoints.sample(5, 1)).isEqualTo(BirchPoints.sample(5, 1)).hasLineCount(5);
        assertThat(BirchPoints.sample(5, 1)).isNotEqualTo(BirchPoints.sample(5, 2));
    }
}
