// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import io.shredder.it.cluster.ClusterSize;
import io.shredder.it.corpus.LargeText;
import io.shredder.it.figures.Machine;
import io.shredder.it.figures.Report;
import io.shredder.it.figures.SizeConverter;
import io.shredder.it.incoop.JobKind;
import io.shredder.it.incoop.JobLab;
import io.shredder.it.incoop.Version.Style;
import io.shredder.it.process.Children;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./run bench incoop}: jobs plainly and incrementally on this machine's cluster, by part of input changed. */
@Command(
        name = "incoop",
        mixinStandardHelpOptions = true,
        description =
                "Runs each job on changed versions of its input, plainly and incrementally, on HDFS and YARN daemons"
                        + " of this machine; compares the part files byte for byte; prints times, work and memo space.",
        footer = "Downloads some 300 MB of Debian packages once for the text.")
final class IncoopBenchCommand implements Callable<Integer> {
    private static final long QUICK_BYTES = 64L << 20;

    @Option(
            names = "--jobs",
            split = ",",
            paramLabel = "JOB",
            description = "default: all; some of wordcount," + " cooccurrence, bigrams, kmeans, kmeans-bounds, knn")
    private List<String> jobs = Stream.of(JobKind.values()).map(JobKind::title).toList();

    @Option(
            names = "--changes",
            split = ",",
            paramLabel = "PERCENT",
            description = "parts of the input changed, 0 to 25 (default: ${DEFAULT-VALUE})")
    private List<Double> changes = List.of(0.0, 1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 25.0);

    @Option(
            names = "--edits",
            split = ",",
            paramLabel = "EDIT",
            description = "what the changes are: rewrite, insert, delete, move or mixed (default: ${DEFAULT-VALUE})")
    private List<String> edits = List.of("mixed");

    @Option(names = "--places", description = "blocks that each change is spread over (default: ${DEFAULT-VALUE})")
    private int places = 10;

    @Option(
            names = "--bytes",
            converter = SizeConverter.class,
            description = "size of the text, with an optional k, m or g (default: 2,010,000,000, the most there is)")
    private long bytes = LargeText.MOST_BYTES;

    @Option(
            names = "--points-bytes",
            converter = SizeConverter.class,
            description = "size of the points of kmeans and knn, which compute more for each byte (default: a tenth of"
                    + " --bytes)")
    private @Nullable Long pointsBytes;

    @Option(
            names = "--avg",
            converter = SizeConverter.class,
            description = "average chunk, with an optional k or m (default: 1m)")
    private long chunkBytes = 1 << 20;

    @Option(names = "--reducers", description = "reduce tasks of each job (default: ${DEFAULT-VALUE})")
    private int reducers = 2;

    @Option(
            names = "--quick",
            description = "a look in some three minutes: 64 MB, wordcount and cooccurrence, 0 and 5 %%")
    private boolean quick;

    @Option(
            names = "--go-on",
            description =
                    "keep the runs that an earlier, partial or interrupted measurement left in --out's runs.jsonl,"
                            + " and measure only those that it lacks; tables and plots show all")
    private boolean goOn;

    @Option(names = "--out", paramLabel = "FOLDER", description = "default: ${DEFAULT-VALUE}")
    private Path out = Path.of("target/bench/incoop");

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (quick) {
            bytes = QUICK_BYTES;
            jobs = List.of("wordcount", "cooccurrence");
            changes = List.of(0.0, 5.0);
        }
        Path root = Path.of("").toAbsolutePath();
        Path folder = out.toAbsolutePath();
        try (var children = new Children()) {
            Runtime.getRuntime().addShutdownHook(new Thread(children::close, "bench-stop"));
            var plan = new IncoopBench.Plan(
                    bytes,
                    pointsBytes(),
                    jobs.stream().map(JobKind::of).toList(),
                    changes,
                    edits.stream().map(Style::of).toList(),
                    places);
            RunLog log = goOn ? RunLog.goOn(folder, conditions()) : RunLog.begin(folder, conditions());
            var report = new Report(heading(root), System.out);
            var settings = new JobLab.Settings(chunkBytes, reducers);
            try (var lab = new JobLab(root, folder.resolve("work"), children, settings)) {
                lab.start();
                int failed = new IncoopBench(lab, plan, log, report).measure();
                report.write(folder);
                System.out.println("tables, plots and rows: " + out);
                return failed == 0 ? 0 : 1;
            }
        } catch (IllegalArgumentException e) {
            System.err.println("bench: " + e.getMessage());
            return 2;
        } catch (IOException e) {
            System.err.println("bench: " + e.getMessage());
            return 1;
        }
    }

    private long pointsBytes() {
        return pointsBytes == null ? bytes / 10 : pointsBytes;
    }

    /** What must be the same for runs to stand in one table. */
    private String conditions() throws IOException {
        return settings() + ", " + Machine.description();
    }

    private String settings() {
        return "--bytes " + bytes + " --points-bytes " + pointsBytes() + " --avg " + chunkBytes + " --reducers "
                + reducers + " --places " + places;
    }

    private String heading(Path root) throws IOException {
        return Machine.today() + ", " + Machine.description() + ", commit " + Machine.commit(root)
                + "\n\n    ./run bench incoop --jobs " + String.join(",", jobs) + " --changes "
                + String.join(",", changes.stream().map(String::valueOf).toList()) + " --edits "
                + String.join(",", edits) + " " + settings()
                + "\n\nOne NameNode, three DataNodes (one replica), ResourceManager, one"
                + " NodeManager (" + ClusterSize.gib()
                + " GiB), history server. Seconds are the whole command's; work is the CPU time of all map"
                + " and reduce tasks. Each figure was measured once.\n";
    }
}
