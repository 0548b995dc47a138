// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import io.shredder.incoop.task.IncoopCounter;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.examples.WordCount;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hadoop streaming as downloaded, on a real YARN: what programs ask their node for is looked at there. */
@InTurn(days = 3)
class StreamingYarnIT {

    private static final String SUM =
            "awk -F '\\t' '{ sum[$1] += $2 } END { for (w in sum) print w \"\\t\" sum[w] | \"LC_ALL=C sort\" }'";

    @TempDir
    static File folder;

    private static YarnCluster cluster;
    private static FileSystem fs;

    private final org.apache.hadoop.fs.Path input = new org.apache.hadoop.fs.Path("/in/text");
    private List<String> lines = List.of();

    @TempDir
    Path side;

    @AfterAll
    static void stopCluster() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @BeforeEach
    void upload() throws Exception {
        if (cluster == null) { // Not before all: on some days no test has its turn.
            cluster = new YarnCluster(folder);
            fs = cluster.fs();
        }
        fs.delete(new org.apache.hadoop.fs.Path("/user"), true);
        lines = EditedTexts.lines(new Random(72), 3000);
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
    }

    private StreamingRun incremental(String mapper, String... options) throws Exception {
        List<String> all = new ArrayList<>(List.of("-D", "incoop.programs.ignore.task=true"));
        all.addAll(List.of(options));
        return run("inc-yarn", mapper, SUM, all.toArray(String[]::new));
    }

    /** What comes of the same elsewhere: in this process. */
    private StreamingRun plain(String mapper, String... options) throws Exception {
        return run("local", mapper, SUM, options);
    }

    /** With one reducer: each container costs seconds. */
    private StreamingRun run(String framework, String mapper, String reducer, String... options) throws Exception {
        List<String> all = new ArrayList<>(List.of("-D", "mapreduce.job.reduces=1"));
        all.addAll(List.of(options));
        return StreamingRun.of(cluster.framework(framework), fs, input, mapper, reducer, all.toArray(String[]::new));
    }

    /** Why jobs have to run plainly, as tasks have left word of it. */
    private static String refusals() throws IOException {
        StringBuilder reasons = new StringBuilder();
        for (FileStatus one : fs.globStatus(new org.apache.hadoop.fs.Path("/user/*/.incoop/*/plain.txt"))) {
            try (var in = fs.open(one.getPath())) {
                reasons.append(new String(in.readAllBytes()));
            }
        }
        return reasons.toString();
    }

    @Test
    void onlyWhatHasChangedIsGivenToPrograms() throws Exception {
        String mapper = "awk '{ print $1 \"\\t\" NF }'";
        StreamingRun cold = incremental(mapper);
        assertThat(refusals()).isEmpty();
        assertThat(cold.incoop("CHUNKS_COMPUTED")).isGreaterThan(5);
        assertThat(cold.output()).isEqualTo(plain(mapper).output()).isNotEmpty();

        StreamingRun again = incremental(mapper);
        assertThat(again.incoop("CHUNKS_COMPUTED")).isZero();
        assertThat(again.incoop("CHUNKS_REUSED")).isEqualTo(cold.incoop("CHUNKS_TOTAL"));
        assertThat(again.output()).isEqualTo(cold.output());
        assertThat(again.counter("org.apache.hadoop.mapreduce.TaskCounter", "MAP_INPUT_RECORDS"))
                .isEqualTo(lines.size());

        lines.set(1500, "something quite different");
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        StreamingRun edited = incremental(mapper);
        assertThat(edited.incoop("CHUNKS_COMPUTED")).isBetween(1L, 3L);
        assertThat(edited.output()).isEqualTo(plain(mapper).output());
    }

    @InTurn(days = 3)
    @Test
    void aShippedScriptIsPartOfTheJob() throws Exception {
        Path script = Files.writeString(side.resolve("map.py"), python("w + '\\t1'"));
        String mapper = "python3 map.py";
        StreamingRun first = incremental(mapper, "-files", script.toString());
        assertThat(refusals()).isEmpty();
        assertThat(first.incoop("CHUNKS_COMPUTED")).isPositive();
        assertThat(first.output())
                .isEqualTo(plain("python3 " + script).output())
                .isNotEmpty();

        StreamingRun again = incremental(mapper, "-files", script.toString());
        assertThat(again.incoop("CHUNKS_COMPUTED"))
                .as("%s", cluster.logged("computed again"))
                .isZero();
        assertThat(again.output()).isEqualTo(first.output());

        Files.writeString(script, python("w + '\\t2'"));
        StreamingRun changed = incremental(mapper, "-files", script.toString());
        assertThat(changed.incoop("CHUNKS_REUSED")).isZero();
        assertThat(changed.incoop("CHUNKS_COMPUTED")).isPositive();
        assertThat(changed.output())
                .isEqualTo(plain("python3 " + script).output())
                .isNotEqualTo(first.output());
    }

    private static String python(String expression) {
        return "import sys\nfor line in sys.stdin:\n  for w in line.split():\n    print(" + expression + ")\n";
    }

    @InTurn(days = 6)
    @Test
    void aFilePackedIntoTheJarIsPartOfTheJob() throws Exception {
        Path script = Files.writeString(side.resolve("map.awk"), "{ print $1 \"\\t1\" }\n");
        String mapper = "awk -f map.awk";
        StreamingRun first = incremental(mapper, "-file", script.toString());
        assertThat(refusals()).isEmpty();
        assertThat(first.incoop("CHUNKS_COMPUTED")).isPositive();

        assertThat(incremental(mapper, "-file", script.toString()).incoop("CHUNKS_COMPUTED"))
                .isZero();

        Files.writeString(script, "{ print $1 \"\\t2\" }\n");
        StreamingRun changed = incremental(mapper, "-file", script.toString());
        assertThat(changed.incoop("CHUNKS_REUSED")).isZero();
        assertThat(changed.output())
                .isEqualTo(plain("awk -f " + script).output())
                .isNotEqualTo(first.output());
    }

    @InTurn(days = 3)
    @Test
    void aFileOfTheNodeIsLookedAtThere() throws Exception {
        Path table = Files.writeString(side.resolve("table"), "found\t1\n");
        Path other = side.resolve("other");
        String mapper = "sh -c 'cat " + table + "; if test -e " + other + "; then cat " + other + "; fi; cat'";
        StreamingRun first = incremental(mapper);
        assertThat(refusals()).isEmpty();
        assertThat(first.incoop("CHUNKS_COMPUTED")).isPositive();

        Files.writeString(table, "other\t1\n");
        StreamingRun changed = incremental(mapper);
        assertThat(changed.incoop("CHUNKS_COMPUTED")).isEqualTo(first.incoop("CHUNKS_TOTAL"));
        assertThat(changed.incoop("CHUNKS_REUSED")).isZero();
        assertThat(changed.output().toString()).contains("other\t").doesNotContain("found\t");

        // What was kept last is looked at, too.
        assertThat(incremental(mapper).incoop("CHUNKS_COMPUTED")).isZero();

        Files.writeString(other, "appeared\t1\n");
        StreamingRun appeared = incremental(mapper);
        assertThat(appeared.incoop("CHUNKS_REUSED")).isZero();
        assertThat(appeared.output().toString()).contains("other\t", "appeared\t");
    }

    @InTurn(days = 6)
    @Test
    void whatHasChangedIsCombinedWithWhatStands() throws Exception {
        String mapper = "awk '{ print \"LongValueSum:\" $1 \"\\t\" 1 }'";
        lines = EditedTexts.lines(new Random(73), 16000);
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        StreamingRun first = aggregated("inc-yarn", mapper);
        assertThat(refusals()).isEmpty();
        assertThat(first.incoop("CHUNKS_COMPUTED")).isPositive();
        assertThat(first.output()).isEqualTo(aggregated("local", mapper).output());

        lines.set(1500, "something quite different");
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        StreamingRun edited = aggregated("inc-yarn", mapper);
        assertThat(edited.incoop("CHUNKS_COMPUTED")).isBetween(1L, 3L);
        assertThat(edited.incoop("CONTRACTION_NODES_REUSED")).isPositive();
        assertThat(edited.output()).isEqualTo(aggregated("local", mapper).output());
    }

    private StreamingRun aggregated(String framework, String mapper) throws Exception {
        return run(framework, mapper, "aggregate", "-D", "incoop.programs.ignore.task=true");
    }

    @Test
    void aProgramThatWritesAFileRunsPlainly() throws Exception {
        Path log = side.resolve("log");
        String mapper = "sh -c 'echo once >> " + log + "; cat'";

        StreamingRun run = incremental(mapper);

        assertThat(run.incoop("CHUNKS_TOTAL")).isZero();
        assertThat(refusals()).contains("a program that it started writes the file " + log);
        assertThat(run.output()).isEqualTo(plain("cat").output());
        // Once a map of the plain run, and not in the run that was given up.
        assertThat(Files.readAllLines(log)).hasSizeLessThan(4);
    }

    @InTurn(days = 6)
    @Test
    void aProgramThatOpensASocketRunsPlainly() throws Exception {
        String mapper = "python3 -c \"import socket,sys; s=socket.socket(); sys.stdout.write(sys.stdin.read())\"";

        StreamingRun run = incremental(mapper);

        assertThat(run.incoop("CHUNKS_TOTAL")).isZero();
        assertThat(refusals()).contains("a program that it started ");
        assertThat(run.output()).isEqualTo(plain("cat").output());
    }

    @InTurn(days = 6)
    @Test
    void withoutTheUsersWordItRunsPlainly() throws Exception {
        StreamingRun run = run("inc-yarn", "cat", SUM);

        assertThat(run.incoop("CHUNKS_TOTAL")).isZero();
        assertThat(run.output()).isEqualTo(plain("cat").output());
    }

    @InTurn(days = 6)
    @Test
    void aFileThatAMapperReadsItselfIsLookedAtOnTheNode() throws Exception {
        Path side = Files.writeString(this.side.resolve("side"), " one");
        FinishedJob first = reading(side, "inc-yarn");
        assertThat(first.chunks(IncoopCounter.CHUNKS_COMPUTED)).isPositive();

        FinishedJob again = reading(side, "inc-yarn");
        assertThat(again.chunks(IncoopCounter.CHUNKS_COMPUTED)).isZero();
        assertThat(again.output()).isEqualTo(first.output());

        Files.writeString(side, " two");
        FinishedJob changed = reading(side, "inc-yarn");
        assertThat(changed.chunks(IncoopCounter.CHUNKS_REUSED)).isZero();
        assertThat(changed.output()).isEqualTo(reading(side, "local").output()).isNotEqualTo(first.output());
    }

    private FinishedJob reading(Path side, String framework) throws Exception {
        String jar = Faults.jar(folder.toPath(), OddMappers.class, WordCount.class);
        return FinishedJob.wordCount(cluster.framework(framework), fs, input.getParent(), job -> {
            job.setMapperClass(OddMappers.LocalReader.class);
            job.getConfiguration().set("side", side.toString());
            job.getConfiguration().set("mapreduce.job.jar", jar);
        });
    }
}
