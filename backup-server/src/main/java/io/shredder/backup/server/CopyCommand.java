// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.protocol.KeyId;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.seal.RepositoryKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code shredder-backup copy}. */
@Command(
        name = "copy",
        description =
                "Copy snapshots from --agent to --second-agent, sealed as they are; only missing chunks are sent.",
        footer = {
            "",
            "The copy opens with the same repository key. The second agent gives it an id and a time of its own: rules of"
                    + " 'prune' there go by when it was copied. Needs the rights 'restore' here and 'append' there."
        },
        mixinStandardHelpOptions = true)
final class CopyCommand implements Callable<Integer> {

    @Parameters(
            arity = "0..*",
            paramLabel = "NAME[@ID]",
            description = "Snapshots; the latest of a name without an id.")
    private List<SnapshotChoice> choices = List.of();

    @Option(names = "--all", description = "Every snapshot of this client that is not there yet, oldest first.")
    private boolean all;

    @Mixin
    private AgentOptions agent = new AgentOptions();

    @Mixin
    private SecondAgentOptions second = new SecondAgentOptions();

    @Mixin
    private KeyOptions keys = new KeyOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final List<Map<String, Object>> copied = new ArrayList<>();
    private final List<SnapshotInfo> known = new ArrayList<>();

    @Override
    public Integer call() throws IOException {
        if (all == !choices.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "name snapshots to copy, or give --all");
        }
        RepositoryKey key = keys.unlock();
        List<String> damaged = new ArrayList<>();
        long startNs = System.nanoTime();
        try (AgentClient source = agent.connect();
                AgentClient target = second.connect(agent);
                CopySession session = new CopySession(source, target, key)) {
            checkDifferent(source, target);
            List<SnapshotInfo> wanted = wanted(source, damaged);
            List<SnapshotInfo> there = SnapshotChoice.listAll(target).snapshots();
            for (SnapshotInfo snapshot : wanted) {
                copy(session, snapshot, there);
            }
            report(session, System.nanoTime() - startNs);
        }
        return ShredderBackupMain.report(damaged);
    }

    private static void checkDifferent(AgentClient source, AgentClient target) throws IOException {
        if (source.greeting().repository().equals(target.greeting().repository())) {
            throw new IOException("both agents serve the repository "
                    + source.greeting().repository() + ": name another one with --second-agent");
        }
    }

    private List<SnapshotInfo> wanted(AgentClient source, List<String> damaged) throws IOException {
        if (all) {
            SnapshotChoice.Listing listing = SnapshotChoice.listAll(source);
            damaged.addAll(listing.damaged());
            return listing.snapshots();
        }
        List<SnapshotInfo> named = new ArrayList<>();
        for (SnapshotChoice choice : choices) {
            named.add(choice.find(source));
        }
        named.sort(Comparator.comparingLong(SnapshotInfo::id));
        return named;
    }

    private void copy(CopySession session, SnapshotInfo snapshot, List<SnapshotInfo> there) throws IOException {
        List<SnapshotInfo> series = there.stream()
                .filter(other -> other.name().equals(snapshot.name()))
                .toList();
        if (series.stream().anyMatch(other -> other.contentDigest().equals(snapshot.contentDigest()))) {
            known.add(snapshot);
            return;
        }
        checkSeriesKey(snapshot, series);
        long before = session.copiedBytes();
        SnapshotInfo copy = ProgressLine.during(
                "copied " + SnapshotText.name(snapshot) + ",",
                snapshot.imageBytes(),
                () -> session.copiedBytes() - before,
                () -> session.copy(snapshot));
        Map<String, Object> line = new LinkedHashMap<>(SnapshotText.json(copy));
        line.put("copyOf", snapshot.id());
        copied.add(line);
        if (!json.isGiven()) {
            System.out.println("copied " + SnapshotText.name(snapshot) + " to " + SnapshotText.name(copy) + ": "
                    + SnapshotText.size(snapshot.imageBytes()));
        }
    }

    private static void checkSeriesKey(SnapshotInfo snapshot, List<SnapshotInfo> series) throws IOException {
        if (series.isEmpty()) {
            return;
        }
        KeyId there = series.get(series.size() - 1).seal().key();
        if (!there.equals(snapshot.seal().key())) {
            throw new IOException("at the second agent the snapshots of '" + snapshot.name() + "' are sealed with key "
                    + there + ", here with key " + snapshot.seal().key()
                    + ": a copy keeps its seal; restore the image and back it up there with the other key, or as another"
                    + " series");
        }
    }

    private void report(CopySession session, long elapsedNs) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("copied", copied);
        result.put("alreadyThere", known.stream().map(SnapshotInfo::id).toList());
        result.put("sentChunks", session.sentChunks());
        result.put("sentBytes", session.sentBytes());
        result.put("milliseconds", elapsedNs / 1_000_000);
        json.print(
                () -> result,
                () -> String.format(
                        Locale.ROOT,
                        "%d snapshots copied, %d were there; sent %d chunks, %s; %.1f s",
                        copied.size(),
                        known.size(),
                        session.sentChunks(),
                        SnapshotText.size(session.sentBytes()),
                        elapsedNs / 1e9));
    }
}
