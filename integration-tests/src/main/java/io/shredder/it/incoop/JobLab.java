// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.incoop;

import io.shredder.it.cluster.HadoopCluster;
import io.shredder.it.corpus.BirchPoints;
import io.shredder.it.corpus.Folders;
import io.shredder.it.corpus.LargeText;
import io.shredder.it.demo.Digests;
import io.shredder.it.demo.Programs;
import io.shredder.it.demo.Programs.Output;
import io.shredder.it.incoop.JobKind.Data;
import io.shredder.it.process.Children;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;

/**
 * A cluster with HDFS and YARN to run jobs on, each plainly or incrementally, as an operator would: {@code hdfs dfs
 * -copyFromLocalGPU}, then {@code bin/incoop jar}. Both ways use the same launcher, jar, file and settings; only the
 * framework's name differs. One replica of everything, for all three DataNodes share a disk. One run at a time.
 */
public final class JobLab implements AutoCloseable {
    /**
     * Settings of a lab.
     *
     * @param chunkBytes average chunk
     * @param reducers of every job
     */
    public record Settings(long chunkBytes, int reducers) {}

    private static final Pattern JOB = Pattern.compile("Running job: (job_\\d+_\\d+)");
    private static final String MEMO_FOLDER = "/bench/memo";
    private static final String JOBS_PROGRAM = "io.shredder.incoop.jobs.Jobs";

    private final Path root;
    private final Path work;
    private final Path cache;
    private final Children children;
    private final Settings settings;
    private final HadoopCluster cluster;
    private @Nullable FileSystem fs;
    private @Nullable Programs programs;
    private int runs;

    /**
     * A lab whose daemons do not run yet.
     *
     * @param root the checkout, built
     * @param work a folder for the daemons' data, emptied first and removed at the end
     */
    public JobLab(Path root, Path work, Children children, Settings settings) throws IOException {
        this.root = root;
        this.work = work;
        this.cache = Files.createDirectories(root.resolve(".tools").resolve("demo-cache"));
        this.children = children;
        this.settings = settings;
        Folders.delete(work);
        Files.createDirectories(logs());
        this.cluster = HadoopCluster.in(work.resolve("cluster"));
    }

    private Path logs() {
        return work.resolve("logs");
    }

    /** Starts the daemons. */
    public void start() throws IOException, InterruptedException {
        cluster.start(HadoopCluster.Shape.HDFS_AND_YARN);
        fs = FileSystem.newInstance(cluster.clientConfiguration());
        programs = new Programs(
                root,
                logs(),
                children,
                Map.of(
                        "HADOOP_CONF_DIR",
                        cluster.clientFolder().toString(),
                        "JAVA_HOME",
                        System.getProperty("java.home")));
    }

    /** The first version of an input, made if need be, with the small files that its jobs take along. */
    public Path input(Data data, long bytes) throws IOException, InterruptedException {
        if (data == Data.POINTS) {
            SideFiles.writeForPoints(fs());
            return BirchPoints.in(cache, bytes);
        }
        Path text = LargeText.in(cache, logs(), children, bytes);
        SideFiles.writeForText(fs(), text);
        return text;
    }

    /** A file in the lab's folder that goes with it. */
    public Path scratch(String name) {
        return work.resolve(name);
    }

    /** What an upload took. */
    public record Uploaded(String folder, long bytes, double seconds) {}

    /** Uploads a file as the only one of a folder of a version's name, in the lab's chunks. */
    public Uploaded upload(Path file, String version) throws IOException, InterruptedException {
        return store(file, version, "-copyFromLocalGPU", "-inputFormat", "text", "-avg", settings.chunkBytes());
    }

    /** Uploads a file in the chunks that a user gets who asks for none. */
    public Uploaded uploadByDefault(Path file, String version) throws IOException, InterruptedException {
        return store(file, version, "-copyFromLocalGPU", "-inputFormat", "text");
    }

    /** Copies a file to an ordinary one of HDFS, the only one of a folder of a version's name. */
    public Uploaded copy(Path file, String version) throws IOException, InterruptedException {
        return store(file, version, "-copyFromLocal");
    }

    private Uploaded store(Path file, String version, Object... command) throws IOException, InterruptedException {
        String folder = "/bench/in/" + version;
        fs().mkdirs(new org.apache.hadoop.fs.Path(folder));
        var words = new ArrayList<Object>(List.of("dfs", "-Ddfs.replication=1"));
        words.addAll(List.of(command));
        words.addAll(List.of(file, folder + "/input.txt"));
        long startNs = System.nanoTime();
        programs().run("hdfs", words.toArray());
        return new Uploaded(folder, Files.size(file), (System.nanoTime() - startNs) / 1e9);
    }

    /**
     * How well a plain job's maps can be placed, in hundredths of its bytes: what lies in the block whose hosts its
     * split names, so that a map there reads it from its own disk.
     */
    public double localPercent(Uploaded input) throws IOException {
        return Splits.localPercent(fs(), input.folder());
    }

    /** Removes a version. */
    public void remove(Uploaded version) throws IOException {
        fs().delete(new org.apache.hadoop.fs.Path(version.folder()), true);
    }

    /** Runs a job to its end, and removes its output when it has been digested. */
    public Outcome run(JobKind kind, Uploaded input, boolean incremental) throws IOException, InterruptedException {
        var options = new ArrayList<>(List.of("-Dmapreduce.job.reduces=" + settings.reducers()));
        options.addAll(kind.options(incremental, memoFolder(kind) + "-bounds"));
        return run(
                List.of(jobsJar(), JOBS_PROGRAM, kind.program()),
                kind.framework(incremental),
                memoFolder(kind),
                options,
                input);
    }

    /**
     * Runs a job of somebody else's.
     *
     * @param program its jar and the words that name it there
     * @param memo a name for its results
     */
    public Outcome run(List<Object> program, String memo, List<String> options, Uploaded input, boolean incremental)
            throws IOException, InterruptedException {
        return run(program, incremental ? "inc-yarn" : "yarn", MEMO_FOLDER + "/" + memo, options, input);
    }

    private Outcome run(List<Object> program, String framework, String memo, List<String> options, Uploaded input)
            throws IOException, InterruptedException {
        runs++;
        String output = "/bench/out/" + runs;
        var words = new ArrayList<Object>(List.of("jar"));
        words.addAll(program);
        words.add("-Dmapreduce.framework.name=" + framework);
        words.add("-Ddfs.replication=1");
        words.add("-Dincoop.memo.dir=" + memo);
        words.addAll(options);
        words.addAll(List.of(input.folder(), output));
        long startNs = System.nanoTime();
        Output printed = programs().run("incoop", words.toArray());
        double seconds = (System.nanoTime() - startNs) / 1e9;
        var history = new History(fs(), "/staging/history");
        var outcome = new Outcome(seconds, history.workOf(jobsIn(printed)), Digests.ofParts(fs(), output));
        fs().delete(new org.apache.hadoop.fs.Path(output), true);
        return outcome;
    }

    /** Bytes that the memo store holds of a job's runs, bounds of points included. */
    public long memoBytes(JobKind kind) throws IOException {
        long bytes = 0;
        for (String folder : List.of(memoFolder(kind), memoFolder(kind) + "-bounds")) {
            var path = new org.apache.hadoop.fs.Path(folder);
            bytes += fs().exists(path) ? fs().getContentSummary(path).getLength() : 0;
        }
        return bytes;
    }

    private static String memoFolder(JobKind kind) {
        return MEMO_FOLDER + "/" + kind.title();
    }

    private static List<String> jobsIn(Output printed) throws IOException {
        List<String> jobs = JOB.matcher(printed.text())
                .results()
                .map(match -> match.group(1))
                .toList();
        if (jobs.isEmpty()) {
            throw new IOException(printed.program() + " printed no job's name");
        }
        return jobs;
    }

    private Path jobsJar() throws IOException {
        Path target = root.resolve("incoop-jobs").resolve("target");
        try (Stream<Path> jars = Files.list(target)) {
            return jars.filter(jar -> jar.getFileName().toString().matches("incoop-jobs-\\d[\\w.-]*\\.jar"))
                    .filter(jar -> !jar.toString().matches(".*-(sources|tests)\\.jar"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no jar of incoop-jobs in " + target + "; run ./run build"));
        }
    }

    private FileSystem fs() {
        if (fs == null) {
            throw new IllegalStateException("start first");
        }
        return fs;
    }

    private Programs programs() {
        if (programs == null) {
            throw new IllegalStateException("start first");
        }
        return programs;
    }

    /** Stops the daemons and removes the work folder but for the logs of the programs. Idempotent. */
    @Override
    public void close() {
        cluster.close();
        try {
            Folders.delete(work.resolve("cluster"));
        } catch (IOException e) {
            System.err.println("can't remove " + work.resolve("cluster") + ": " + e.getMessage());
        }
    }
}
