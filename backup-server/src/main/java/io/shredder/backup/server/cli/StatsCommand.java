// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.keepers.KeepersState;
import io.shredder.backup.server.cli.option.JsonOption;
import io.shredder.backup.server.cli.option.SourceOptions;
import io.shredder.backup.server.text.Json;
import io.shredder.backup.server.text.KeepersText;
import io.shredder.backup.server.text.SnapshotText;
import io.shredder.backup.wire.UpkeepAnswer;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code shredder-backup stats}. */
@Command(
        name = "stats",
        description = "Say how much the agent keeps, for this client and in all, and what this client may do.",
        mixinStandardHelpOptions = true)
final class StatsCommand implements Callable<Integer> {

    @Mixin
    private SourceOptions source = new SourceOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException {
        UpkeepAnswer.Statistics kept;
        Optional<KeepersState> keepers;
        try (AgentClient client = source.connect()) {
            kept = client.statistics();
            keepers = client.keepers();
        }
        if (json.isGiven()) {
            Map<String, Object> all = json(kept);
            keepers.ifPresent(state -> all.put("store", KeepersText.json(state)));
            System.out.println(Json.line(all));
            return 0;
        }
        String quota = kept.quotaBytes() == 0 ? "" : " of " + SnapshotText.size(kept.quotaBytes()) + " allowed";
        System.out.println("namespace:  " + kept.namespace() + " (rights: " + String.join(", ", kept.rights()) + ")");
        System.out.println(
                "snapshots:  " + kept.snapshots() + ", images " + SnapshotText.size(kept.imageBytes()) + quota);
        System.out.println("repository: " + kept.chunks() + " chunks, " + SnapshotText.size(kept.containerBytes())
                + " in " + kept.containers() + " containers");
        System.out.println("free:       " + SnapshotText.size(kept.usableBytes()));
        keepers.map(KeepersText::lines).ifPresent(lines -> lines.forEach(System.out::println));
        return 0;
    }

    private static Map<String, Object> json(UpkeepAnswer.Statistics kept) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("namespace", kept.namespace().value());
        json.put("rights", kept.rights());
        json.put("snapshots", kept.snapshots());
        json.put("imageBytes", kept.imageBytes());
        json.put("quotaBytes", kept.quotaBytes());
        json.put("chunks", kept.chunks());
        json.put("containers", kept.containers());
        json.put("containerBytes", kept.containerBytes());
        json.put("usableBytes", kept.usableBytes());
        return json;
    }
}
