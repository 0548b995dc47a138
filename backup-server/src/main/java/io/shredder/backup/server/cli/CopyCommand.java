// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import com.google.common.collect.Multimaps;
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
import io.shredder.backup.server.text.ProgressLine;
import io.shredder.backup.server.text.SnapshotText;
import io.shredder.backup.server.transfer.CopyPlan;
import io.shredder.backup.server.transfer.CopySession;
import io.shredder.backup.server.trust.AgentSeries;
import io.shredder.backup.server.trust.BrokenTrustException;
import io.shredder.backup.server.trust.CheckedListing;
import io.shredder.backup.server.trust.ProvedSeries;
import io.shredder.backup.server.trust.ProvedSnapshot;
import io.shredder.backup.server.trust.SnapshotCommit;
import io.shredder.backup.snapshot.SnapshotInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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
            "The copy opens with the same repository key. The second agent gives it an id and a time of its own: rules"
                    + " of 'prune' there go by when it was copied. So what was taken before the newest that is there,"
                    + " as what was pruned there, is left out unless --older is given. Needs the rights 'restore' here"
                    + " and 'append' there."
        },
        mixinStandardHelpOptions = true)
final class CopyCommand implements Callable<Integer> {

    @Parameters(
            arity = "0..*",
            paramLabel = "NAME[@ID]",
            description = "Snapshots; the latest of a name without an id.")
    private List<SnapshotChoice> choices = List.of();

    @Option(
            names = "--all",
            description = "Every snapshot of this client that is newer than what is there, oldest first.")
    private boolean all;

    @Option(
            names = "--older",
            description = "Also snapshots that were taken before the newest of their series that is there. Each copy"
                    + " becomes the newest there: 'latest' is then older data, and rules keep it before newer.")
    private boolean older;

    @Mixin
    private AgentOptions agent = new AgentOptions();

    @Mixin
    private SecondAgentOptions second = new SecondAgentOptions();

    @Mixin
    private KeyOptions keys = new KeyOptions();

    @Mixin
    private CoresOption cores = new CoresOption();

    @Mixin
    private StateOptions state = new StateOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final List<Map<String, Object>> copied = new ArrayList<>();
    private final List<SnapshotInfo> known = new ArrayList<>();
    private final List<SnapshotInfo> left = new ArrayList<>();
    private Optional<CheckedListing> listed = Optional.empty();

    @Override
    public Integer call() throws IOException {
        return json.orError(this::copies, this::run);
    }

    private int run() throws IOException {
        if (all == !choices.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "name snapshots to copy, or give --all");
        }
        RepositoryKey key = keys.unlock();
        List<String> damaged = new ArrayList<>();
        long startNs = System.nanoTime();
        try (AgentClient source = agent.connect();
                AgentClient target = second.connect(agent);
                CopySession session = new CopySession(source, target, key, cores.get())) {
            checkDifferent(source, target);
            List<List<ProvedSnapshot>> wanted = wanted(source, key, damaged);
            try {
                for (ProvedSnapshot snapshot : going(wanted, target, key)) {
                    copy(session, snapshot, series(target, key, snapshot));
                }
            } catch (IOException e) {
                throw listed.isPresent() ? listed.get().orAlarm(e) : e;
            }
            report(session, damaged, System.nanoTime() - startNs);
        }
        List<String> problems = new ArrayList<>(damaged);
        if (!all) {
            left.forEach(snapshot -> problems.add(SnapshotText.name(snapshot)
                    + " is not copied: it was taken before the newest that is there, and would pass for the latest;"
                    + " if that is right, give --older"));
        }
        int exitCode = ShredderBackupMain.report(problems);
        return alarms().isEmpty() ? exitCode : BrokenTrustException.EXIT_CODE;
    }

    /** What the agent shows less of than it had, or other. Nothing of that is copied. */
    private List<String> alarms() {
        return listed.map(listing -> listing.alarms().values().stream()
                        .map(Throwable::getMessage)
                        .toList())
                .orElse(List.of());
    }

    private AgentSeries series(AgentClient target, RepositoryKey key, ProvedSnapshot snapshot) {
        return new AgentSeries(target, key, state.commits(), snapshot.info().name());
    }

    /** What of some series is copied, oldest first. */
    private List<ProvedSnapshot> going(List<List<ProvedSnapshot>> wanted, AgentClient target, RepositoryKey key)
            throws IOException {
        List<ProvedSnapshot> going = new ArrayList<>();
        for (List<ProvedSnapshot> series : wanted) {
            CopyPlan plan =
                    CopyPlan.of(series, series(target, key, series.get(0)).checked(), older);
            plan.there().forEach(snapshot -> known.add(snapshot.info()));
            plan.older().forEach(snapshot -> left.add(snapshot.info()));
            going.addAll(plan.copied());
        }
        going.sort(Comparator.comparingLong(snapshot -> snapshot.info().id()));
        return going;
    }

    private static void checkDifferent(AgentClient source, AgentClient target) throws IOException {
        if (source.greeting().repository().equals(target.greeting().repository())) {
            throw new IOException("both agents serve the repository "
                    + source.greeting().repository() + ": name another one with --second-agent");
        }
    }

    /** By series, each ascending. */
    private List<List<ProvedSnapshot>> wanted(AgentClient source, RepositoryKey key, List<String> damaged)
            throws IOException {
        if (all) {
            CheckedListing listing = CheckedListing.of(source, key, state.commits());
            listed = Optional.of(listing);
            Warnings.print(alarms());
            damaged.addAll(listing.damaged());
            Warnings.ofUnproved("not copied", listing.unproved());
            return listing.series().values().stream()
                    .map(ProvedSeries::proved)
                    .filter(series -> !series.isEmpty())
                    .toList();
        }
        TrustedChoice trusted = new TrustedChoice(source, key, state.commits());
        List<ProvedSnapshot> named = new ArrayList<>();
        for (SnapshotChoice choice : choices) {
            named.add(trusted.find(choice));
        }
        named.sort(Comparator.comparingLong(snapshot -> snapshot.info().id()));
        return bySeries(named);
    }

    private static List<List<ProvedSnapshot>> bySeries(List<ProvedSnapshot> ascending) {
        return Multimaps.index(ascending, snapshot -> snapshot.info().name()).asMap().values().stream()
                .<List<ProvedSnapshot>>map(List::copyOf)
                .toList();
    }

    private void copy(CopySession session, ProvedSnapshot proved, AgentSeries target) throws IOException {
        SnapshotInfo snapshot = proved.info();
        ProvedSeries there = target.checked();
        if (there.proved().stream().anyMatch(proved::isSameAs)) {
            known.add(snapshot);
            return;
        }
        long before = session.copiedBytes();
        SnapshotInfo copy = ProgressLine.during(
                "copied " + SnapshotText.name(snapshot) + ",",
                snapshot.imageBytes(),
                () -> session.copiedBytes() - before,
                () -> session.copy(
                        proved, new SnapshotCommit(target, there), there.last().map(ProvedSnapshot::info)));
        Map<String, Object> line = new LinkedHashMap<>(SnapshotText.json(copy));
        line.put("copyOf", snapshot.id());
        copied.add(line);
        if (!json.isGiven()) {
            System.out.println("copied " + SnapshotText.name(snapshot) + " to " + SnapshotText.name(copy) + ": "
                    + SnapshotText.size(snapshot.imageBytes()));
        }
    }

    private Map<String, Object> copies() {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("copied", copied);
        result.put("alreadyThere", known.stream().map(SnapshotInfo::id).toList());
        result.put("older", left.stream().map(SnapshotInfo::id).toList());
        result.put("alarms", alarms());
        return result;
    }

    private void report(CopySession session, List<String> damaged, long elapsedNs) {
        Map<String, Object> result = copies();
        result.put("damaged", damaged);
        result.put("sentChunks", session.sentChunks());
        result.put("sentBytes", session.sentBytes());
        result.put("milliseconds", elapsedNs / 1_000_000);
        json.print(
                () -> result,
                () -> String.format(
                        Locale.ROOT,
                        "%d snapshots copied, %d were there%s; sent %d chunks, %s; %.1f s",
                        copied.size(),
                        known.size(),
                        left.isEmpty() ? "" : ", " + left.size() + " older than those were left out",
                        session.sentChunks(),
                        SnapshotText.size(session.sentBytes()),
                        elapsedNs / 1e9));
    }
}
