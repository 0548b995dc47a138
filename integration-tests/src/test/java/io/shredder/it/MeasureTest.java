// SPDX-License-Identifier: Apache-2.0
package io.shredder.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MeasureTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final CommandLine line =
            Measure.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));

    private int run(String words) {
        return line.execute(words.isEmpty() ? new String[0] : words.split(" "));
    }

    @Test
    void eachWordsHelpNamesWhatItMeasures() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("bars", "bench", "trials");
        assertThat(run("bench --help")).isZero();
        Set<String> benches =
                line.getSubcommands().get("bench").getSubcommands().keySet();
        assertThat(benches).contains("engine", "chunking", "incoop", "backup", "index", "agent", "link", "integrity");
        assertThat(out.toString()).contains(benches);
        assertThat(run("trials --help")).isZero();
        assertThat(out.toString()).contains("kills", "flips", "files", "hostile", "silent", "frames", "lazyfs");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bars", "trials", "bench engine", "bench chunking", "bench incoop", "bench backup"})
    void eachHelpHasAnExitCodeOf0AndSaysHowToCallIt(String words) {
        assertThat(run(words + " --help")).isZero();
        assertThat(out.toString()).startsWith("Usage: run " + words);
    }

    @Test
    void whatMeasuresTheBackupAloneTellsItsOptionsHereToo() {
        assertThat(run("bench index --help")).isZero();
        assertThat(out.toString()).contains("--entries", "--rounds", "--only");
        assertThat(run("bench agent --help")).isZero();
        assertThat(out.toString()).contains("--clients", "--seconds");
        assertThat(run("bench link --help")).isZero();
        assertThat(out.toString()).contains("--rtt-ms", "--mbps");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "bers", "bench", "bench enginge", "bench --quick"})
    void unknownWordsAreWrongUsage(String words) {
        assertThat(run(words)).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void partsOfABenchThatAreNotThereAreRefusedWithARemedy() {
        assertThat(run("bench crypto --only ciphers,nothing")).isEqualTo(2);
        assertThat(err.toString()).contains("--only ciphers,nothing: there are ciphers, index, resident");
        assertThat(run("bench crypto --only resident")).isEqualTo(2);
        assertThat(err.toString()).contains("add --gpu");
        assertThat(run("bench coding --only table,nothing")).isEqualTo(2);
        assertThat(err.toString()).contains("there are table, figure-8a, figure-8b, figure-9, energy");
        assertThat(run("bench coding --machines 100 --down 1,101")).isEqualTo(2);
        assertThat(err.toString()).contains("--down 101: there are 100 machines");
    }

    @Test
    void whoeverAsksForAnUnknownBenchIsToldWhichThereAre() {
        assertThat(run("bench enginge")).isEqualTo(2);
        assertThat(err.toString())
                .contains(
                        "no bench 'enginge'; there are: agent, backup, chunking, coding, crypto, dispersal, engine, incoop, index,"
                                + " integrity, link");
        assertThat(run("bers")).isEqualTo(2);
        assertThat(err.toString()).contains("no word 'bers'; there are: bars, bench, trials");
    }
}
