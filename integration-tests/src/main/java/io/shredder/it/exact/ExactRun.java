// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.it.cluster.ClusterSize;
import io.shredder.it.cluster.HadoopCluster;
import io.shredder.it.corpus.Folders;
import io.shredder.it.exact.ExactPlan.Share;
import io.shredder.it.exact.Lab.Framework;
import io.shredder.it.process.Child;
import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The search for jobs that give other results incrementally than plainly.
 *
 * <ol>
 *   <li>{@link io.shredder.it.exact.cases.AllCases} names the jobs; {@link io.shredder.it.exact.cases.JobCase} says
 *       what each is given, and what changes between its runs.
 *   <li>{@link #play} starts a cluster and worker processes, each of which plays the {@link Scenario}s of its share.
 *   <li>A scenario uploads an input, then runs the job plainly and incrementally after each change: a {@link Pair}.
 *   <li>{@link ExactReport} says job by job what came of them.
 * </ol>
 */
public final class ExactRun {
    private static final List<String> JVM = List.of(
            "-Xmx2g",
            "-XX:+UseSerialGC",
            // Every run's classes are new, and few live long enough for the second compiler.
            "-XX:TieredStopAtLevel=1",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
            "--add-opens=java.base/java.net=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/java.io=ALL-UNNAMED");
    private static final long LOOK_MS = 200;
    private static final Map<String, String> ONE_REPLICA = Map.of("dfs.replication", "1");

    private final Path target;
    private final Path work;
    private final Children children;
    private final Consumer<Pair> sink;
    private final List<String> broken = new ArrayList<>();

    /**
     * A search that has not begun.
     *
     * @param target this module's folder of that name, built
     * @param work for daemons, workers and evidence; emptied first
     * @param sink takes each pair as it comes
     */
    public ExactRun(Path target, Path work, Children children, Consumer<Pair> sink) {
        this.target = target.toAbsolutePath();
        this.work = work.toAbsolutePath();
        this.children = children;
        this.sink = sink;
    }

    /** Plays all of a plan. */
    public List<Pair> play(ExactPlan plan) throws IOException, InterruptedException {
        Folders.delete(work);
        Files.createDirectories(work);
        var pairs = new ArrayList<Pair>();
        HadoopCluster.Shape shape =
                plan.needsYarn() ? HadoopCluster.Shape.ONE_DATA_NODE_AND_YARN : HadoopCluster.Shape.ONE_DATA_NODE;
        try (HadoopCluster cluster = HadoopCluster.started(work.resolve("cluster"), shape, ONE_REPLICA)) {
            pairs.addAll(play(cluster, localShares(plan)));
            if (plan.needsYarn()) {
                pairs.addAll(play(cluster, yarnShares(plan)));
            }
        }
        Folders.delete(work.resolve("cluster"));
        return pairs;
    }

    /** Workers that did not come to their end, and where; none if all is well. */
    public List<String> broken() {
        return List.copyOf(broken);
    }

    private static List<Share> localShares(ExactPlan plan) {
        return dealt(plan.cases(), plan.workers())
                .map(cases -> new Share(Framework.LOCAL, cases, plan.seeds(), plan.edits()))
                .toList();
    }

    private static List<Share> yarnShares(ExactPlan plan) {
        return dealt(plan.yarnCases(), ClusterSize.parts())
                .map(cases -> new Share(Framework.YARN, cases, List.of(plan.seed()), plan.yarnEdits()))
                .toList();
    }

    /** One by one, so that each worker gets some of every sort. */
    private static Stream<List<String>> dealt(List<String> cases, int workers) {
        return IntStream.range(0, Math.min(workers, cases.size()))
                .mapToObj(worker -> IntStream.iterate(worker, i -> i < cases.size(), i -> i + workers)
                        .mapToObj(cases::get)
                        .toList());
    }

    private List<Pair> play(HadoopCluster cluster, List<Share> shares) throws IOException, InterruptedException {
        var workers = new ArrayList<Child>();
        var results = new ArrayList<ResultFile>();
        for (Share share : shares) {
            String name = share.framework().name().toLowerCase(Locale.ROOT) + "-" + (workers.size() + 1);
            Path folder = Files.createDirectories(work.resolve(name));
            Path file = folder.resolve("results.jsonl");
            results.add(new ResultFile(file));
            workers.add(children.start(command(cluster, name, share, folder, file)));
        }
        var pairs = new ArrayList<Pair>();
        boolean alive = true;
        while (alive) {
            alive = workers.stream().anyMatch(Child::isAlive);
            for (ResultFile file : results) {
                List<Pair> more = file.more();
                more.forEach(sink);
                pairs.addAll(more);
            }
            Thread.sleep(LOOK_MS);
        }
        for (int i = 0; i < workers.size(); i++) {
            if (workers.get(i).waitFor() != 0) {
                broken.add(workers.get(i).name() + " ended after " + results.get(i).last + ":\n"
                        + workers.get(i).logTail());
            }
        }
        return pairs;
    }

    private Command command(HadoopCluster cluster, String name, Share share, Path folder, Path results)
            throws IOException {
        var words = new ArrayList<String>();
        words.addAll(List.of("--target", target.toString(), "--results", results.toString()));
        words.addAll(List.of("--evidence", work.resolve("evidence").toString()));
        words.addAll(List.of("--framework", share.framework().name(), "--edits", String.valueOf(share.edits())));
        share.seeds().forEach(seed -> words.add("--seed=" + seed));
        share.cases().forEach(job -> words.add("--case=" + job));
        // In a jar, or else these classes would be taken for the jobs' own.
        String classPath = cluster.clientFolder() + ":" + ProgramJars.ownIn(target) + ":"
                + Files.readString(target.resolve("classpath.txt")).strip();
        return new Command(
                name,
                Command.java(JVM, classPath, ExactWorker.class.getName(), words),
                Map.of(),
                folder,
                folder.resolve("worker.log"));
    }

    /** A file that a worker adds lines to. */
    private static final class ResultFile {
        private final Path file;
        private final ObjectMapper json = new ObjectMapper();
        private int read;
        private String last = "nothing";

        ResultFile(Path file) {
            this.file = file;
        }

        /** What has come since the last call; a line is there once its end is. */
        List<Pair> more() throws IOException {
            var pairs = new ArrayList<Pair>();
            String text = Files.exists(file) ? Files.readString(file) : "";
            for (int end = text.indexOf('\n', read); end >= 0; end = text.indexOf('\n', read)) {
                Pair pair = json.readValue(text.substring(read, end), Pair.class);
                pairs.add(pair);
                last = pair.job() + ", " + pair.step();
                read = end + 1;
            }
            return pairs;
        }
    }
}
