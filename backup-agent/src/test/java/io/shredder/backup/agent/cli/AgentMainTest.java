// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.command.CommandErrors;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentMainTest {

    @TempDir
    private Path folder;

    @Test
    void aClientNameThatIsNotAllowedIsWrongUsageAndMakesNothing() {
        Path out = folder.resolve("certs");
        assertThat(AgentMain.run("certs", "--out", out.toString(), "--client", "ok,si/te"))
                .isEqualTo(2);
        assertThat(out).doesNotExist();
    }

    @Test
    void aFileWhereAFolderIsMeantIsSaidToBeInTheWay() throws Exception {
        Path file = Files.createFile(folder.resolve("f"));
        assertThat(AgentMain.run("certs", "--out", file.toString(), "--client", "site1"))
                .isEqualTo(1);
        assertThat(CommandErrors.describe(new FileAlreadyExistsException("f")))
                .isEqualTo("f is in the way: name another, or move it away");
    }
}
