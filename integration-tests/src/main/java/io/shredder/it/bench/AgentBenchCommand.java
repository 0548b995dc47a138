// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import io.shredder.it.agent.AgentBench;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./run bench agent}: an agent alone, with many clients. */
@Command(
        name = "agent",
        mixinStandardHelpOptions = true,
        description =
                "Measures an agent in a process of its own, over TLS on loopback, by clients that put what is new,"
                        + " and fetch and discard it: bytes a second of all together, the slowest beside the mean, and what the"
                        + " agent took.")
final class AgentBenchCommand implements Callable<Integer> {
    @Option(
            names = "--clients",
            split = ",",
            paramLabel = "N",
            description = "how many at once, one after another (default: 1,8,64)")
    private List<Integer> clients = List.of(1, 8, 64);

    @Option(names = "--seconds", paramLabel = "N", description = "of each measurement (default: ${DEFAULT-VALUE})")
    private int seconds = 10;

    @Option(names = "--region-kib", paramLabel = "N", description = "size of a region (default: ${DEFAULT-VALUE})")
    private int regionKib = 1024;

    @Option(
            names = "--folder",
            paramLabel = "FOLDER",
            description = "where repositories are made (default: ${DEFAULT-VALUE})")
    private Path folder = Path.of("/dev/shm");

    @Option(
            names = "--agent",
            split = ",",
            paramLabel = "OPTION",
            description = "of backup-agent serve, such as --agent=--io-threads,2")
    private List<String> options = List.of();

    @Override
    public Integer call() throws Exception {
        new AgentBench(clients, seconds, regionKib << 10, folder, options).run();
        return 0;
    }
}
