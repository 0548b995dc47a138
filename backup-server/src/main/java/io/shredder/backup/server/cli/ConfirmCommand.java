// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.server.cli.option.AgentOptions;
import io.shredder.backup.server.cli.option.JsonOption;
import io.shredder.backup.snapshot.PendingDeletion;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code shredder-backup confirm}. */
@Command(
        name = "confirm",
        description = {
            "Do a deletion that another client asked for: of the snapshots that 'pending' shows, as they were then,"
                    + " and of no others.",
        },
        footer = {
            "",
            "The client needs the right 'confirm', and must be another one than the one that asked. Space comes back"
                    + " with 'gc'."
        },
        mixinStandardHelpOptions = true)
final class ConfirmCommand implements Callable<Integer> {

    @Parameters(paramLabel = "REQUEST", description = "The request, by the number that 'pending' shows.")
    private long id;

    @Mixin
    private AgentOptions agent = new AgentOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException {
        try (AgentClient client = agent.connect()) {
            PendingDeletion deletion = PendingText.find(client, id);
            client.confirm(deletion);
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("confirmed", PendingText.json(deletion));
            result.put("deleted", deletion.ids());
            json.print(
                    () -> result,
                    () -> PendingText.lines(deletion) + System.lineSeparator() + "confirmed and deleted "
                            + deletion.snapshots().size() + " snapshots");
        }
        return 0;
    }
}
