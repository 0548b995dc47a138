// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hadoop streaming as anyone would download it, in this process. */
class StreamingLocalIT extends LocalJobs {

    private static final String SUM =
            "awk -F '\\t' '{ sum[$1] += $2 } END { for (w in sum) print w \"\\t\" sum[w] | \"LC_ALL=C sort\" }'";
    private static final String IGNORES = "incoop.programs.ignore.task=true";

    @TempDir
    Path side;

    private List<String> lines = List.of();

    @BeforeEach
    void upload() throws Exception {
        lines = EditedTexts.lines(new Random(71), 3000);
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
    }

    private StreamingRun incremental(String mapper) throws Exception {
        return StreamingRun.of(conf("inc-local"), fs, input, mapper, SUM, "-D", IGNORES);
    }

    private StreamingRun plain(String mapper) throws Exception {
        return StreamingRun.of(conf("local"), fs, input, mapper, SUM);
    }

    @InTurn(days = 3)
    @ParameterizedTest
    @ValueSource(
            strings = {
                "cat",
                "awk '{ print $1 \"\\t\" NF }'",
                "python3 -c \"import sys; [print(word, 1, sep=chr(9)) for line in sys.stdin for word in line.split()]\""
            })
    void onlyWhatHasChangedIsGivenToPrograms(String mapper) throws Exception {
        StreamingRun cold = incremental(mapper);
        assertThat(cold.incoop("CHUNKS_COMPUTED")).isGreaterThan(5);
        assertThat(cold.output()).isEqualTo(plain(mapper).output()).isNotEmpty();

        StreamingRun again = incremental(mapper);
        assertThat(again.incoop("CHUNKS_COMPUTED")).isZero();
        assertThat(again.incoop("CHUNKS_REUSED")).isEqualTo(cold.incoop("CHUNKS_TOTAL"));
        assertThat(again.output()).isEqualTo(cold.output());

        lines.set(1500, "something quite different");
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        StreamingRun edited = incremental(mapper);
        assertThat(edited.incoop("CHUNKS_COMPUTED")).isBetween(1L, 3L);
        assertThat(edited.output()).isEqualTo(plain(mapper).output());
    }

    @InTurn(days = 3)
    @Test
    void aScriptNamedByItsPathIsADependency() throws Exception {
        Path script = Files.writeString(side.resolve("map.awk"), "{ print $1 \"\\t1\" }\n");
        String mapper = "awk -f " + script;
        StreamingRun first = incremental(mapper);
        Files.writeString(script, "{ print $1 \"\\t2\" }\n");

        StreamingRun second = incremental(mapper);

        assertThat(first.incoop("CHUNKS_COMPUTED")).isPositive();
        assertThat(second.incoop("CHUNKS_REUSED")).isZero();
        assertThat(second.incoop("CHUNKS_COMPUTED")).isPositive();
        assertThat(second.output()).isEqualTo(plain(mapper).output()).isNotEqualTo(first.output());
    }

    @InTurn(days = 3)
    @Test
    void theProgramItselfIsADependency() throws Exception {
        Path program = Files.copy(Path.of("/bin/cat"), side.resolve("program"));
        program.toFile().setExecutable(true);
        StreamingRun first = incremental(program.toString());
        Files.writeString(program, "#!/bin/sh\nexec sed s/w1/W/\n");

        StreamingRun second = incremental(program.toString());

        assertThat(second.incoop("CHUNKS_COMPUTED"))
                .isEqualTo(first.incoop("CHUNKS_COMPUTED"))
                .isPositive();
        assertThat(second.output())
                .isEqualTo(plain(program.toString()).output())
                .isNotEqualTo(first.output());
    }

    @InTurn(days = 3)
    @Test
    void aFileThatComesIntoBeingWhereAProgramHasLookedForItIsADependency() throws Exception {
        Path table = side.resolve("table");
        String mapper = "sh -c 'if test -e " + table + "; then cat " + table + "; fi; cat'";
        StreamingRun first = incremental(mapper);
        Files.writeString(table, "found\t1\n");

        StreamingRun second = incremental(mapper);

        assertThat(first.incoop("CHUNKS_COMPUTED")).isPositive();
        assertThat(second.incoop("CHUNKS_REUSED")).isZero();
        assertThat(second.output().toString()).contains("found");
    }

    @Test
    void aProgramThatWritesAFileRunsPlainlyAndOnce() throws Exception {
        Path log = side.resolve("log");
        String mapper = "sh -c 'echo once >> " + log + "; cat'";

        StreamingRun run = incremental(mapper);

        assertThat(run.incoop("CHUNKS_TOTAL")).isZero();
        // As many times as a plain run has maps.
        long maps = Files.readAllLines(log).size();
        Files.delete(log);
        assertThat(run.output()).isEqualTo(plain(mapper).output());
        assertThat(Files.readAllLines(log)).hasSize((int) maps);
    }

    @InTurn(days = 3)
    @ParameterizedTest
    @ValueSource(
            strings = {
                "sh -c '(sleep 60 >/dev/null 2>&1 <&- &) ; cat'",
                "python3 -c \"import socket,sys; s=socket.socket(); sys.stdout.write(sys.stdin.read())\"",
                "sh -c 'cat; head -1 FIFO'"
            })
    void aProgramThatReachesOutRunsPlainly(String mapper) throws Exception {
        Path fifo = side.resolve("fifo");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                .isZero();
        Thread writer = new Thread(() -> {
            while (true) {
                try {
                    Files.writeString(fifo, "from a fifo\t1\n");
                    Thread.sleep(50);
                } catch (java.io.IOException | InterruptedException e) {
                    return;
                }
            }
        });
        writer.setDaemon(true);
        writer.start();
        String own = mapper.replace("FIFO", fifo.toString());

        StreamingRun run = incremental(own);

        assertThat(run.incoop("CHUNKS_TOTAL")).isZero();
        assertThat(run.output()).isEqualTo(plain(own).output());
        writer.interrupt();
    }

    @Test
    void withoutTheUsersWordItRunsPlainly() throws Exception {
        StreamingRun run = StreamingRun.of(conf("inc-local"), fs, input, "cat", SUM);

        assertThat(run.incoop("CHUNKS_TOTAL")).isZero();
        assertThat(run.output()).isEqualTo(plain("cat").output());
    }

    @InTurn(days = 3)
    @Test
    void whatAProgramCountsIsKept() throws Exception {
        String mapper = "awk '{ print $1 \"\\t1\"; print \"reporter:counter:mine,lines,1\" > \"/dev/stderr\" }'";
        StreamingRun first = incremental(mapper);

        StreamingRun second = incremental(mapper);

        assertThat(second.incoop("CHUNKS_COMPUTED")).isZero();
        assertThat(first.counter("mine", "lines")).isEqualTo(lines.size());
        assertThat(second.counter("mine", "lines")).isEqualTo(lines.size());
    }

    @InTurn(days = 3)
    @Test
    void aProgramMayCombineAndSortInFilesOfItsOwn() throws Exception {
        String mapper = "sh -c 't=$(mktemp) && cat > $t && awk \"{ print \\$1 \\\"\\t1\\\" }\" $t && rm $t'";
        StreamingRun first =
                StreamingRun.of(conf("inc-local"), fs, input, mapper, SUM, "-D", IGNORES, "-combiner", SUM);

        StreamingRun second =
                StreamingRun.of(conf("inc-local"), fs, input, mapper, SUM, "-D", IGNORES, "-combiner", SUM);

        assertThat(first.incoop("CHUNKS_COMPUTED")).isPositive();
        assertThat(second.incoop("CHUNKS_COMPUTED")).isZero();
        assertThat(second.output()).isEqualTo(plain(mapper).output()).isNotEmpty();
    }
}
