// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import io.shredder.it.corpus.Folders;
import io.shredder.it.exact.cases.JobCase;
import io.shredder.it.exact.cases.JobCase.Trait;
import io.shredder.it.exact.cases.Surroundings;
import io.shredder.it.exact.cases.Surroundings.Memo;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/** Runs programs on one cluster, plainly or incrementally, and gathers what they leave. One thread. */
final class Lab implements AutoCloseable {
    private static final String LOCAL_FILES = "fs.file.impl";

    private final FileSystem fs;
    private final Framework framework;
    private final ProgramJars jars;
    private final Path work;
    private final TableServer server = TableServer.started();

    /** Where jobs run. */
    enum Framework {
        LOCAL("local", "inc-local", Duration.ofMinutes(2)),
        YARN("yarn", "inc-yarn", Duration.ofMinutes(8));

        private final String plain;
        private final String incremental;
        private final Duration limit;

        Framework(String plain, String incremental, Duration limit) {
            this.plain = plain;
            this.incremental = incremental;
            this.limit = limit;
        }

        String name(boolean isIncremental) {
            return isIncremental ? incremental : plain;
        }
    }

    /**
     * A lab on the cluster that this process's class path tells of.
     *
     * @param work a local folder
     */
    Lab(Framework framework, ProgramJars jars, Path work) throws IOException {
        var conf = new Configuration();
        conf.set("dfs.replication", "1");
        conf.set("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", "20");
        if (framework == Framework.LOCAL) {
            // Hadoop keeps the first instance of a file system that it is asked for, for all who ask later.
            conf.set(LOCAL_FILES, QuickLocalFiles.class.getName());
            FileSystem.getLocal(conf);
        }
        this.fs = FileSystem.newInstance(conf);
        this.framework = framework;
        this.jars = jars;
        this.work = work;
    }

    FileSystem fs() {
        return fs;
    }

    /** Places for a scenario of that name, emptied. */
    Places places(String name) throws IOException {
        var places = new Places("/exact/" + name, work.resolve(name), server.port());
        fs.delete(new org.apache.hadoop.fs.Path(places.hdfs()), true);
        Folders.delete(places.local());
        return places;
    }

    /** One run to its end. */
    RunResult run(
            JobCase job, Settings settings, Surroundings now, SideWorld world, String inputPaths, boolean incremental)
            throws IOException, InterruptedException {
        Places places = world.places();
        world.prepare(now);
        server.serveFrom(places.givenHere().resolve("table"));
        var classPath = new ArrayList<>(jars.of(job.origin()));
        world.classPathJar(now).ifPresent(classPath::add);
        List<String> words = words(job, settings, now, places, inputPaths, incremental);
        Optional<Path> site = job.is(Trait.OPTIONS_IN_SITE) ? Optional.of(siteFile(places, words)) : Optional.empty();
        var program = new ProgramRun(job.program(), classPath, site);
        boolean removeMemo = incremental && now.memo() == Memo.REMOVED_MEANWHILE;
        world.enter(now);
        try (LogCapture log = LogCapture.begun()) {
            Optional<String> failure = removeMemo
                    ? MemoRemover.during(fs, places.memo(), () -> program.run(words, framework.limit))
                    : program.run(words, framework.limit);
            SortedMap<String, byte[]> output =
                    failure.isEmpty() ? FolderFiles.of(fs, places.output()) : new TreeMap<String, byte[]>();
            List<String> messages = log.messages();
            return new RunResult(failure, output, world.leftFiles(), PrintedCounters.in(messages), messages);
        } finally {
            world.leave();
        }
    }

    /** The cluster's own, and what stands on the command line. */
    private static Path siteFile(Places places, List<String> words) throws IOException {
        var conf = new Configuration(false);
        conf.addResource("mapred-site.xml");
        for (String word : words) {
            int middle = word.indexOf('=');
            if (word.startsWith("-D") && middle > 0) {
                conf.set(word.substring(2, middle), word.substring(middle + 1));
            }
        }
        Path file = Files.createDirectories(places.local()).resolve("mapred-site.xml");
        try (Writer out = Files.newBufferedWriter(file)) {
            conf.writeXml(out);
        }
        return file;
    }

    private List<String> words(
            JobCase job, Settings settings, Surroundings now, Places places, String inputPaths, boolean incremental) {
        var words = new ArrayList<String>();
        words.add("-Dmapreduce.framework.name=" + framework.name(incremental));
        words.add("-Dincoop.memo.dir=" + places.memo());
        words.add("-Ddfs.replication=1");
        words.add("-Dmapreduce.task.io.sort.mb=16");
        // How often the client looks; the defaults would cost more than the small jobs.
        words.add("-Dmapreduce.client.progressmonitor.pollinterval=20");
        words.add("-Dmapreduce.client.completion.pollinterval=20");
        words.add("-Ddfs.client.block.write.locateFollowingBlock.initial.delay.ms=20");
        if (framework == Framework.LOCAL) {
            words.add("-Dhadoop.tmp.dir=" + work.resolve("tmp"));
        }
        words.addAll(settings.words(job, incremental));
        now.options().forEach((key, value) -> words.add("-D" + key + "=" + places.fill(value, inputPaths)));
        for (String word : now.words()) {
            if (word.equals("${input}") && job.is(Trait.PATHS_AS_WORDS)) {
                words.addAll(List.of(inputPaths.split(",", -1)));
            } else {
                words.add(places.fill(word, inputPaths));
            }
        }
        return words;
    }

    @Override
    public void close() throws IOException {
        server.close();
        fs.close();
    }
}
