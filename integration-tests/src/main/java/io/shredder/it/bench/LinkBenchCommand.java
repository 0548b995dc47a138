// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import io.shredder.it.agent.LinkBench;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./run bench link}: how fast an image is restored over a long way. */
@Command(
        name = "link",
        mixinStandardHelpOptions = true,
        description = "Restores an image through a relay that delays, beside the same relay without delay. Exit code 0"
                + " only if the long way gives at least 80 %% of the other.")
final class LinkBenchCommand implements Callable<Integer> {
    @Option(names = "--mib", paramLabel = "N", description = "length of the image (default: ${DEFAULT-VALUE})")
    private int mib = 512;

    @Option(names = "--rtt-ms", paramLabel = "N", description = "round trip (default: ${DEFAULT-VALUE})")
    private int roundTripMs = 150;

    @Option(
            names = "--mbps",
            paramLabel = "N",
            description = "bandwidth of the line, in millions of bits a second (default: ${DEFAULT-VALUE})")
    private int megabitsPerSecond = 1000;

    @Override
    public Integer call() throws IOException {
        return new LinkBench(mib, roundTripMs, megabitsPerSecond).run() ? 0 : 1;
    }
}
