// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.demo;

import io.shredder.it.cluster.HadoopCluster;
import io.shredder.it.corpus.CorpusEditor;
import io.shredder.it.corpus.Folders;
import io.shredder.it.corpus.LinuxImage;
import io.shredder.it.corpus.TextCorpus;
import io.shredder.it.process.Child;
import io.shredder.it.process.Children;
import io.shredder.it.process.Condition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;

/**
 * The demo from its input to its figures. START HERE: {@link #run} names the steps in order.
 *
 * <p>Owns the daemons, the programs it runs and the work folder. {@link #close} may come from another thread at any
 * moment (Ctrl-C); it stops everything and removes the work folder.
 */
final class Demo implements AutoCloseable {
    private static final int EDITED_PLACES = 9;
    private static final double EDITED_FRACTION = 0.01;
    private static final long SEED = 2012;
    private static final Duration AGENT_LIMIT = Duration.ofMinutes(1);

    private final DemoFolders folders;
    private final Steps steps;
    private final Children children = new Children();
    private final Object closing = new Object();
    private @Nullable HadoopCluster cluster; // guarded by this
    private boolean closed; // guarded by this

    Demo(DemoFolders folders, Steps steps) {
        this.folders = folders;
        this.steps = steps;
    }

    /** Everything the demo measures but the times outside it. */
    DemoFigures run() throws IOException, InterruptedException {
        var inputs = steps.timed("input: texts and disk images from Debian packages", this::makeInputs);
        HadoopCluster hadoop =
                steps.timed("HDFS (3 DataNodes) and YARN", this::startCluster).value();
        var programs = new Programs(
                folders.root(),
                folders.logs(),
                children,
                Map.of(
                        "HADOOP_CONF_DIR",
                        hadoop.clientFolder().toString(),
                        "JAVA_HOME",
                        System.getProperty("java.home")));

        try (FileSystem fs = FileSystem.newInstance(hadoop.clientConfiguration())) {
            var texts = new TextSteps(steps, programs, fs, folders);
            List<DemoReport.Upload> uploads = texts.upload(inputs.value().texts());
            DemoReport.Shared shared = texts.compare();
            List<DemoReport.Job> jobs = texts.countWords();

            var images = new ImageSteps(steps, programs, folders, inputs.value().images());
            startAgent(images);
            List<DemoReport.Backup> backups = images.backUp();
            List<DemoReport.Restore> restores = images.restore();
            boolean verified = images.verify();
            return new DemoFigures(inputs.seconds(), uploads, shared, jobs, backups, restores, verified);
        }
    }

    /** The demo's input files, first and second version. */
    record Inputs(List<Path> texts, List<Path> images) {}

    private Inputs makeInputs() throws IOException, InterruptedException {
        Path cache = folders.cache();
        Path text = TextCorpus.in(cache, folders.logs(), children);
        Path edited = cache.resolve("text-2.txt");
        if (!Files.exists(edited)) {
            CorpusEditor.edit(text, edited, EDITED_PLACES, EDITED_FRACTION, SEED);
        }
        LinuxImage.Versions images = LinuxImage.in(cache, folders.logs(), children);
        return new Inputs(List.of(text, edited), List.of(images.first(), images.second()));
    }

    private HadoopCluster startCluster() throws IOException, InterruptedException {
        HadoopCluster prepared = prepareCluster();
        prepared.start(HadoopCluster.Shape.HDFS_AND_YARN);
        return prepared;
    }

    /** The cluster is known to {@link #close} before its first daemon starts. */
    private synchronized HadoopCluster prepareCluster() throws IOException {
        if (closed) {
            throw new IOException("the demo is being stopped");
        }
        HadoopCluster prepared = HadoopCluster.in(folders.work().resolve("cluster"));
        cluster = prepared;
        return prepared;
    }

    private void startAgent(ImageSteps images) throws IOException, InterruptedException {
        steps.timed("backup agent, with certificates of its own making", () -> {
            Child agent = images.startAgent();
            Condition.await("the backup agent", AGENT_LIMIT, List.of(agent), images::agentServes);
            return agent;
        });
    }

    /** Stops every program and daemon and removes the work folder. Idempotent; a second caller waits for the first. */
    @Override
    public void close() {
        synchronized (closing) {
            children.close();
            HadoopCluster running = refuseMore();
            if (running != null) {
                running.close();
            }
            removeWork();
        }
    }

    private synchronized @Nullable HadoopCluster refuseMore() {
        closed = true;
        return cluster;
    }

    private void removeWork() {
        if (folders.keepsWork()) {
            return;
        }
        try {
            Folders.delete(folders.work());
        } catch (IOException e) {
            System.err.println("demo: can't remove " + folders.work() + ": " + e.getMessage());
        }
    }
}
