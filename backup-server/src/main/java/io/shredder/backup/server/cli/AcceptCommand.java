// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.cli.option.JsonOption;
import io.shredder.backup.server.cli.option.KeyOptions;
import io.shredder.backup.server.cli.option.SourceOptions;
import io.shredder.backup.server.cli.option.StateOptions;
import io.shredder.backup.server.text.SnapshotText;
import io.shredder.backup.server.trust.AgentSeries;
import io.shredder.backup.server.trust.ProvedSeries;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code shredder-backup accept}. */
@Command(
        name = "accept",
        description = {
            "After an alarm (exit code 3): take what the agent shows of a series for right from now on.",
            "For instance where the agent was put back from a copy, or the last snapshot was pruned by its id."
        },
        mixinStandardHelpOptions = true)
final class AcceptCommand implements Callable<Integer> {

    @Parameters(paramLabel = "NAME", description = "The series.")
    private SnapshotName name = new SnapshotName("x");

    @Mixin
    private SourceOptions source = new SourceOptions();

    @Mixin
    private KeyOptions keys = new KeyOptions();

    @Mixin
    private StateOptions state = new StateOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException {
        RepositoryKey key = keys.unlock();
        try (AgentClient client = source.connect()) {
            ProvedSeries series = new AgentSeries(client, key, state.commits(), name).accept();
            String last = series.last()
                    .map(snapshot -> SnapshotText.name(snapshot.info()) + ", taken "
                            + snapshot.summary().taken())
                    .orElse("none");
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("series", name.value());
            result.put("snapshots", series.proved().size());
            result.put("last", last);
            json.print(
                    () -> result,
                    () -> "accepted " + name + " with " + series.proved().size() + " snapshots, the last: " + last);
        }
        return 0;
    }
}
