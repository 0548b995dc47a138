// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.cli.option.AgentOptions;
import io.shredder.backup.server.cli.option.CoresOption;
import io.shredder.backup.server.cli.option.JsonOption;
import io.shredder.backup.server.cli.option.KeyOptions;
import io.shredder.backup.server.cli.option.SecondAgentOptions;
import io.shredder.backup.server.cli.option.StateOptions;
import io.shredder.backup.server.cli.option.TrustedChoice;
import io.shredder.backup.server.cli.option.Warnings;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.transfer.RepairSession;
import io.shredder.backup.server.transfer.VerifyRun;
import io.shredder.backup.server.trust.AgentSeries;
import io.shredder.backup.server.trust.ProvedListing;
import io.shredder.backup.server.trust.ProvedSnapshot;
import io.shredder.backup.snapshot.SnapshotInfo;
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
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code shredder-backup repair}. */
@Command(
        name = "repair",
        description = {
            "Find the damaged and missing chunks of snapshots, and bring them from a second agent that has them.",
            "Without a second agent: only say which snapshots are hurt. The next backup of an image that still has"
                    + " these chunks sends them again."
        },
        footer = {"", "Needs the rights 'append' and 'restore' at the agent, 'restore' at the second."},
        mixinStandardHelpOptions = true)
final class RepairCommand implements Callable<Integer> {

    @Parameters(
            arity = "0..1",
            paramLabel = "NAME[@ID]",
            description = "The snapshot; all of this client if not given.")
    private @Nullable SnapshotChoice choice;

    @Mixin
    private AgentOptions agent = new AgentOptions();

    @ArgGroup(exclusive = false, heading = "Where whole chunks come from:%n")
    private @Nullable SecondAgentOptions second;

    @Mixin
    private KeyOptions keys = new KeyOptions();

    @Option(
            names = "--known",
            description = "Only what the agent knows already to be damaged: don't have it read everything first.")
    private boolean known;

    @Mixin
    private CoresOption cores = new CoresOption();

    @Mixin
    private StateOptions state = new StateOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException {
        return json.orError(Map::of, this::run);
    }

    private int run() throws IOException {
        RepositoryKey key = keys.unlock();
        try (AgentClient client = agent.connect()) {
            if (second == null) {
                return repair(client, Optional.empty(), key);
            }
            try (AgentClient other = second.connect(agent)) {
                return repair(client, Optional.of(other), key);
            }
        }
    }

    private int repair(AgentClient client, Optional<AgentClient> other, RepositoryKey key) throws IOException {
        List<String> problems = new ArrayList<>();
        List<SnapshotInfo> snapshots = snapshots(client, key, problems);
        if (!known) {
            VerifyRun.of(
                    client,
                    choice == null ? VerifyRun.EVERYTHING : snapshots.get(0).id());
        }
        try (RepairSession session = new RepairSession(client, other, key, cores.get())) {
            for (SnapshotInfo snapshot : snapshots) {
                session.repair(snapshot);
            }
            client.sync();
            problems.addAll(session.problems());
            print(session, snapshots.size(), problems);
            boolean whole = session.repairedChunks() == session.missingChunks();
            return ShredderBackupMain.report(problems) == 0 && whole ? 0 : 1;
        }
    }

    private List<SnapshotInfo> snapshots(AgentClient client, RepositoryKey key, List<String> problems)
            throws IOException {
        if (choice != null) {
            return List.of(
                    new TrustedChoice(client, key, state.commits()).find(choice).info());
        }
        AgentSeries.Listing listing = AgentSeries.listAll(client);
        listing.damaged().forEach(line -> problems.add(line + ": copy the snapshot from an agent that has it"));
        ProvedListing proved = ProvedListing.of(listing.snapshots(), key, AgentSeries.home(client));
        Warnings.ofUnproved("left out", proved.unproved());
        return proved.proved().stream().map(ProvedSnapshot::info).toList();
    }

    private void print(RepairSession session, int snapshots, List<String> problems) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("snapshots", snapshots);
        result.put("damagedChunks", session.missingChunks());
        result.put("repairedChunks", session.repairedChunks());
        result.put("mendedPages", session.mendedPages());
        result.put("damagedBySnapshot", session.missingBySnapshot());
        result.put("problems", problems);
        json.print(() -> result, () -> text(session, snapshots));
    }

    private static String text(RepairSession session, int snapshots) {
        StringBuilder text = new StringBuilder();
        session.missingBySnapshot()
                .forEach((name, chunks) ->
                        text.append(name).append(": ").append(chunks).append(" chunks were damaged or missing\n"));
        return text + "looked through " + snapshots + " snapshots: " + session.missingChunks()
                + " chunks were damaged or missing, " + session.repairedChunks() + " of them are whole again"
                + (session.mendedPages() == 0 ? "" : ", and so are " + session.mendedPages() + " pages of lists");
    }
}
