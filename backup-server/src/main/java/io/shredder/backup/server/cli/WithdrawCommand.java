// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.server.cli.option.AgentOptions;
import io.shredder.backup.server.cli.option.JsonOption;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code shredder-backup withdraw}. */
@Command(
        name = "withdraw",
        description = "Drop a deletion that waits until another client confirms it; nothing is deleted.",
        footer = {"", "The client needs the right 'prune' or 'confirm'; it need not be the one that asked."},
        mixinStandardHelpOptions = true)
final class WithdrawCommand implements Callable<Integer> {

    @Parameters(paramLabel = "REQUEST", description = "The request, by the number that 'pending' shows.")
    private long id;

    @Mixin
    private AgentOptions agent = new AgentOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException {
        try (AgentClient client = agent.connect()) {
            client.withdraw(id);
            json.print(() -> Map.of("withdrawn", id), () -> "withdrew request " + id);
        }
        return 0;
    }
}
