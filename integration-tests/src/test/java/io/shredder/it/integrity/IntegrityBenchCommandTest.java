// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.shredder.it.figures.Machine;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class IntegrityBenchCommandTest {
    private final StringWriter err = new StringWriter();

    private int run(String... words) {
        return new CommandLine(new IntegrityBenchCommand())
                .setErr(new PrintWriter(err, true))
                .execute(words);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--only=similar,dissimilar | no part dissimilar: use different, similar, checkpoint or neighbours",
                "--links=1,fast | --links has 'fast'",
                "--links=0 | --links has '0': give Gbit/s above 0",
                "--links=-1 | --links has '-1'",
                "--sizes=4x | '4x' is not a size",
                "--rounds=0 | --rounds is 0: give 1 or more",
                "--work=/nowhere | --work /nowhere is not a folder",
                "--client-cores=0 | --client-cores is 0",
                "--client-cores=100000 | --client-cores is 100000",
                "--digest=md5 | unknown digest 'md5'"
            })
    void aBadOptionIsNamedWithItsRemedy(String option, String said) {
        assertThat(run(option)).isEqualTo(2);
        assertThat(err.toString()).contains(said);
    }

    @Test
    void aGpuThatIsAskedForMustBeThere() {
        assumeThat(Machine.gpus()).isEmpty();
        assertThat(run("--gpu")).isEqualTo(2);
        assertThat(err.toString()).contains("--gpu, but nvidia-smi names no GPU");
    }
}
