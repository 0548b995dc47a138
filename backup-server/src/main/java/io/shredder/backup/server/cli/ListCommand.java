// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.command.NativeCryptography;
import io.shredder.backup.keepers.KeepersState;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.server.cli.option.JsonOption;
import io.shredder.backup.server.cli.option.KeyOptions;
import io.shredder.backup.server.cli.option.SourceOptions;
import io.shredder.backup.server.cli.option.StateOptions;
import io.shredder.backup.server.cli.option.Warnings;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.text.Json;
import io.shredder.backup.server.text.KeepersText;
import io.shredder.backup.server.text.RemarksText;
import io.shredder.backup.server.text.SnapshotText;
import io.shredder.backup.server.trust.AgentSeries;
import io.shredder.backup.server.trust.BrokenTrustException;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
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
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code shredder-backup list}. */
@Command(
        name = "list",
        description = "List this client's snapshots.",
        footer = {
            "",
            "What this site has seen of the series is compared with what is listed, as far as that can be told without"
                    + " the key; commands with the key prove it."
        },
        mixinStandardHelpOptions = true)
final class ListCommand implements Callable<Integer> {

    @Parameters(paramLabel = "NAME", description = "Only these series (default: all of this client).")
    private List<SnapshotName> names = List.of();

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
        AgentSeries.Listing listing;
        List<String> alarms;
        Optional<KeepersState> keepers;
        try (AgentClient client = source.connect()) {
            keepers = client.keepers();
            listing = SnapshotChoice.list(client, names);
            alarms = state
                    .commits()
                    .contradictions(client, listing.snapshots(), name -> names.isEmpty() || names.contains(name))
                    .stream()
                    .map(line -> "ALARM: " + line)
                    .toList();
        }
        List<Shown> shown = shown(listing, opener);
        if (json.isGiven()) {
            printJson(shown, listing.damaged(), alarms, keepers);
        } else {
            shown.forEach(
                    one -> System.out.println(SnapshotText.line(one.snapshot()) + RemarksText.suffix(one.remarks())));
        }
        Warnings.print(alarms);
        Warnings.print(keepers.flatMap(KeepersText::warning).stream().toList());
        int exitCode = ShredderBackupMain.report(listing.damaged());
        return alarms.isEmpty() ? exitCode : BrokenTrustException.EXIT_CODE;
    }

    /** A line of the listing. */
    private record Shown(SnapshotInfo snapshot, Remarks remarks) {

        Map<String, Object> json() {
            Map<String, Object> json = SnapshotText.json(snapshot);
            json.putAll(RemarksText.json(remarks));
            return json;
        }
    }

    /** Those that are asked for; what can't be opened is damaged, too. */
    private List<Shown> shown(AgentSeries.Listing listing, Optional<RemarksOpener> opener) {
        List<Shown> all = new ArrayList<>();
        for (SnapshotInfo snapshot : listing.snapshots()) {
            Remarks remarks = Remarks.none();
            try {
                remarks = opener.isPresent() ? opener.get().of(snapshot) : remarks;
            } catch (IOException e) {
                listing.damaged().add(e.getMessage());
            }
            if (tag == null || remarks.tags().contains(tag)) {
                all.add(new Shown(snapshot, remarks));
            }
        }
        return all;
    }

    /** One at a time: many snapshots have a long line. */
    private static void printJson(
            List<Shown> shown, List<String> damaged, List<String> alarms, Optional<KeepersState> keepers) {
        Map<String, Object> all = new LinkedHashMap<>();
        Iterable<Map<String, Object>> snapshots =
                () -> shown.stream().map(Shown::json).iterator();
        all.put("snapshots", snapshots);
        all.put("damaged", damaged);
        all.put("alarms", alarms);
        keepers.ifPresent(state -> all.put("store", KeepersText.json(state)));
        Json.print(all);
    }
}
