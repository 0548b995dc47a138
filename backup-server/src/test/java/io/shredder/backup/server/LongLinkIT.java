// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One chunk after another, a restore over this line would need 0.15 s for each of a thousand chunks. */
class LongLinkIT {

    private static final int ROUND_TRIP_MS = 150;
    private static final long BYTES_PER_SECOND = 20_000_000;

    @TempDir
    private Path folder;

    @Test
    void aRestoreUsesAtLeastFourFifthsOfALineWithARoundTripOf150Milliseconds() throws IOException {
        try (Sites sites = new Sites(folder)) {
            sites.startAgent();
            Path image = folder.resolve("image");
            Sites.random(image, new Random(1), 64 << 20);
            assertThat(sites.here("backup", image.toString(), "--name", "vm").exitCode())
                    .isZero();
            double rate = LinkBenchmark.megabytesPerSecond(sites, ROUND_TRIP_MS, BYTES_PER_SECOND);
            System.out.println("restored " + rate + " MB/s over a line of 20 MB/s");
            assertThat(rate).isBetween(0.8 * 20, 20.0);
        }
    }
}
