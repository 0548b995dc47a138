// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BarsCommandTest {

    @Test
    void theHelpNamesAllSetsAndNoOthers() {
        String[] footer = new CommandLine(new BarsCommand())
                .getCommandSpec()
                .usageMessage()
                .footer();
        List<String> named =
                Stream.of(footer).map(line -> line.strip().split(" ")[0]).toList();
        assertThat(named).containsExactlyInAnyOrderElementsOf(BarsCommand.names());
    }
}
