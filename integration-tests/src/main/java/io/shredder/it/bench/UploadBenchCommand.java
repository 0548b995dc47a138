// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import io.shredder.it.figures.SizeConverter;
import io.shredder.it.upload.UploadBench;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./run bench upload}: a set of files into HDFS, beside {@code -copyFromLocal}. */
@Command(
        name = "upload",
        mixinStandardHelpOptions = true,
        description = "Uploads files of text to a NameNode and three DataNodes of this machine: with -copyFromLocal and"
                + " with -copyFromLocalGPU on each backend, each with as many threads, in turn. Tells what both and the"
                + " machine use. A round writes the files once for each way.")
final class UploadBenchCommand implements Callable<Integer> {
    @Option(
            names = "--bytes",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "length of all files together (default: ${DEFAULT-VALUE})")
    private long bytes = 2L << 30;

    @Option(names = "--files", paramLabel = "N", description = "how many files (default: ${DEFAULT-VALUE})")
    private int files = 8;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "threads of both ways (default: the cores of this machine)")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(names = "--replication", paramLabel = "N", description = "replicas of a block (default: ${DEFAULT-VALUE})")
    private int replication = 1;

    @Option(names = "--rounds", paramLabel = "N", description = "rounds that count (default: ${DEFAULT-VALUE})")
    private int rounds = 3;

    @Option(
            names = "--backends",
            split = ",",
            paramLabel = "NAME",
            description = "backends of the engine, such as cpu,cuda (default: auto)")
    private List<String> backends = List.of("auto");

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description = "folder for files and daemons, such as one in memory (default: ${DEFAULT-VALUE})")
    private Path work = Path.of("target", "bench", "upload");

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<UploadBench.Outcome> outcomes = new UploadBench(
                        work.toAbsolutePath(), files, bytes / files, threads, replication, rounds, backends)
                .run();
        System.out.printf(
                "%-34s %8s %6s   %s: %7s %8s   %s%n",
                "", "MB/s", "x", "CPU s / 10^9 bytes", "client", "machine", "busy cores");
        for (UploadBench.Outcome one : outcomes) {
            System.out.printf(
                    Locale.ROOT,
                    "%-34s %8.0f %6.2f   %27.2f %8.2f   %10.1f%n",
                    one.way(),
                    one.rate(),
                    one.ratio(),
                    one.clientCpu(),
                    one.machineCpu(),
                    one.busyCores());
        }
        return 0;
    }
}
