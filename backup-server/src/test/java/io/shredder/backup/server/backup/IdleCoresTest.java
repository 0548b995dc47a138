// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdleCoresTest {

    @TempDir
    private Path proc;

    private void write(String status, String stat) throws IOException {
        Files.createDirectories(proc.resolve("self"));
        Files.writeString(proc.resolve("self/status"), status);
        Files.writeString(proc.resolve("stat"), stat);
    }

    @Test
    void coresThatItMayRunOnAreSummedUp() throws IOException {
        write(
                "Name:\tjava\nCpus_allowed:\t10d\nCpus_allowed_list:\t0,2-3\n",
                """
                cpu  9 9 9 9999 9 0 0 0 0 0
                cpu0 1 2 3 100 10 0 0 0 0 0
                cpu1 1 2 3 5000 0 0 0 0 0 0
                cpu2 1 2 3 200 0 0 0 0 0 0
                cpu3 1 2 3 300 1 0 0 0 0 0
                intr 5 5 5
                """);
        assertThat(new IdleCores(proc).get()).hasValue(611 * 10_000_000L);
    }

    @Test
    void whatIsNotToBeReadIsNotKnown() throws IOException {
        assertThat(new IdleCores(proc).get()).as("no files").isEmpty();
        write("Cpus_allowed_list:\t0\n", "cpu0 1 2 3\n");
        assertThat(new IdleCores(proc).get()).as("too few fields").isEmpty();
        write("Cpus_allowed_list:\t0\n", "cpu0 1 2 3 0 0 0 0 0 0 0\n");
        assertThat(new IdleCores(proc).get())
                .as("a sandbox that counts nothing")
                .isEmpty();
        write("Cpus_allowed_list:\tall\n", "cpu0 1 2 3 4 5 0 0 0 0 0\n");
        assertThat(new IdleCores(proc).get()).as("no list of numbers").isEmpty();
    }

    @Test
    void thisMachineTells() {
        assertThat(new IdleCores().get()).isNotNull();
    }
}
