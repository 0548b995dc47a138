// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.command.NativeCryptography;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.server.trust.BrokenTrustException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code shredder-backup list}. */
@Command(
        name = "list",
        description = "List this client's snapshots.",
        footer = {
            "",
            "What this site has seen of the series is compared with what is listed, as far as that can be told without the key;"
                    + " commands with the key prove it."
        },
        mixinStandardHelpOptions = true)
final class ListCommand implements Callable<Integer> {

    @Mixin
    private SourceOptions source = new SourceOptions();

    @ArgGroup(exclusive = false, heading = "To show tags and notes, which are sealed:%n")
    private @Nullable KeyOptions keys;

    @Mixin
    private StateOptions state = new StateOptions();

    @Option(names = "--tag", paramLabel = "TAG", description = "Only snapshots with this tag; needs the key.")
    private @Nullable String tag;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException {
        if (tag != null && keys == null) {
            throw new ParameterException(spec.commandLine(), "tags are sealed: give --repository-key with --tag");
        }
        if (keys != null) {
            NativeCryptography.install(); // Without a key nothing is opened, so the program begins without.
        }
        Optional<RemarksOpener> opener =
                keys == null ? Optional.empty() : Optional.of(new RemarksOpener(keys.unlock()));
        SnapshotChoice.Listing listing;
        List<String> alarms;
        try (AgentClient client = source.connect()) {
            listing = SnapshotChoice.listAll(client);
            alarms = state.commits().contradictions(client, listing.snapshots()).stream()
                    .map(line -> "ALARM: " + line)
                    .toList();
        }
        Map<SnapshotInfo, Remarks> shown = remarks(listing, opener);
        if (json.isGiven()) {
            printJson(shown, listing.damaged(), alarms);
        } else {
            shown.forEach((snapshot, remarks) ->
                    System.out.println(SnapshotText.line(snapshot) + RemarksText.suffix(remarks)));
        }
        ShredderBackupMain.warn(alarms);
        int exitCode = ShredderBackupMain.report(listing.damaged());
        return alarms.isEmpty() ? exitCode : BrokenTrustException.EXIT_CODE;
    }

    /** Of those that are asked for; what can't be opened is damaged, too. */
    private Map<SnapshotInfo, Remarks> remarks(SnapshotChoice.Listing listing, Optional<RemarksOpener> opener) {
        Map<SnapshotInfo, Remarks> all = new LinkedHashMap<>();
        for (SnapshotInfo snapshot : listing.snapshots()) {
            Remarks remarks = Remarks.none();
            try {
                remarks = opener.isPresent() ? opener.get().of(snapshot) : remarks;
            } catch (IOException e) {
                listing.damaged().add(e.getMessage());
            }
            if (tag == null || remarks.tags().contains(tag)) {
                all.put(snapshot, remarks);
            }
        }
        return all;
    }

    private static void printJson(Map<SnapshotInfo, Remarks> shown, List<String> damaged, List<String> alarms) {
        List<Map<String, Object>> snapshots = new ArrayList<>();
        shown.forEach((snapshot, remarks) -> {
            Map<String, Object> one = SnapshotText.json(snapshot);
            one.putAll(RemarksText.json(remarks));
            snapshots.add(one);
        });
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("snapshots", snapshots);
        all.put("damaged", damaged);
        all.put("alarms", alarms);
        System.out.println(Json.line(all));
    }
}
