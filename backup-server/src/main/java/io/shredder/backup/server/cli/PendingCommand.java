// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.server.cli.option.AgentOptions;
import io.shredder.backup.server.cli.option.JsonOption;
import io.shredder.backup.server.text.Json;
import io.shredder.backup.snapshot.PendingDeletion;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code shredder-backup pending}. */
@Command(
        name = "pending",
        description = "List the deletions that wait until another client confirms them.",
        footer = {"", "The client needs the right 'prune' or 'confirm'."},
        mixinStandardHelpOptions = true)
final class PendingCommand implements Callable<Integer> {

    @Mixin
    private AgentOptions agent = new AgentOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException {
        List<PendingDeletion> all;
        try (AgentClient client = agent.connect()) {
            all = PendingText.listAll(client);
        }
        if (json.isGiven()) {
            System.out.println(Json.line(
                    Map.of("pending", all.stream().map(PendingText::json).toList())));
        } else {
            all.forEach(deletion -> System.out.println(PendingText.lines(deletion)));
        }
        return 0;
    }
}
