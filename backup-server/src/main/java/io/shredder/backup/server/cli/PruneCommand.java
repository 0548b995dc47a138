// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import com.google.common.collect.Lists;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.server.cli.option.AgentOptions;
import io.shredder.backup.server.cli.option.JsonOption;
import io.shredder.backup.server.cli.option.KeepOptions;
import io.shredder.backup.server.cli.option.ProofOptions;
import io.shredder.backup.server.retention.ReceivedAhead;
import io.shredder.backup.server.retention.RetentionForecast;
import io.shredder.backup.server.retention.RetentionPolicy;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.text.Json;
import io.shredder.backup.server.text.SnapshotText;
import io.shredder.backup.server.transfer.CollectionRun;
import io.shredder.backup.server.trust.AgentSeries;
import io.shredder.backup.server.trust.UnprovedSnapshot;
import io.shredder.backup.snapshot.PendingDeletion;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.WireFormat;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code shredder-backup prune}. */
@Command(
        name = "prune",
        description = "Delete snapshots that no rule keeps, or those that are named by id.",
        footer = {
            "",
            "Rules count and delete only snapshots that a key proves; others are listed apart and stay until they are"
                    + " named by --id.",
            "Rules look at each series by itself and at the times at which the agent received the snapshots. A"
                    + " snapshot stays if any rule keeps it; the newest of a series always stays. The client needs the"
                    + " right 'prune'.",
            "Space comes back with 'gc', or at once with --gc.",
            "Where the agent's file of rights says so, a deletion waits until another client confirms it (see"
                    + " 'pending'), with exit code 4; the same one that waits already is found again."
        },
        mixinStandardHelpOptions = true)
final class PruneCommand implements Callable<Integer> {

    @Parameters(paramLabel = "NAME", description = "Only these series (default: all of this client).")
    private List<SnapshotName> names = List.of();

    @Mixin
    private KeepOptions keep = new KeepOptions();

    @Option(
            names = "--id",
            split = ",",
            paramLabel = "ID",
            description = "Delete these snapshots, damaged ones too, instead of going by rules.")
    private List<Long> ids = List.of();

    @Option(names = "--dry-run", description = "Only say what would be deleted.")
    private boolean dryRun;

    @Option(
            names = "--forecast",
            paramLabel = "YEARS",
            description =
                    "Delete nothing; say how many snapshots of each series the rules keep after each of so many years,"
                            + " if backups go on as they came and 'prune' runs every month.")
    private @Nullable Integer forecastYears;

    @Option(names = "--gc", description = "Collect garbage afterwards.")
    private boolean collect;

    @Mixin
    private ProofOptions proofs = new ProofOptions();

    @Option(
            names = "--max-new",
            defaultValue = "100",
            paramLabel = "N",
            description = "Delete nothing if a series got more snapshots than that within a day: that may be an attack"
                    + " that pushes good ones out (default: ${DEFAULT-VALUE}).")
    private int maxNew = 100;

    @Mixin
    private AgentOptions agent = new AgentOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final List<UnprovedSnapshot> apart = new ArrayList<>();
    private final List<PendingDeletion> waiting = new ArrayList<>();

    @Override
    public Integer call() throws IOException {
        if (!ids.isEmpty() && (keep.isGiven() || !names.isEmpty())) {
            throw new ParameterException(spec.commandLine(), "--id goes without rules and names");
        } else if (ids.isEmpty() && !keep.isGiven()) {
            throw new ParameterException(
                    spec.commandLine(), "nothing says what to keep: give a rule such as --keep-daily 7, or --id");
        } else if (forecastYears != null && (forecastYears < 1 || forecastYears > 100 || !ids.isEmpty())) {
            throw new ParameterException(
                    spec.commandLine(), "--forecast takes 1 to 100 years, and rules: " + forecastYears);
        } else if (ids.isEmpty() && !proofs.isGiven()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "nothing says which snapshots are genuine: give --verification-key, --repository-key, or"
                            + " --unproved");
        }
        try (AgentClient client = agent.connect()) {
            return ids.isEmpty() ? pruneByRules(client, policy()) : pruneByIds(client);
        }
    }

    private RetentionPolicy policy() {
        try {
            return keep.policy();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private int pruneByRules(AgentClient client, RetentionPolicy policy) throws IOException {
        AgentSeries.Listing listing = SnapshotChoice.list(client, names);
        List<RetentionPolicy.Decision> decisions = new ArrayList<>();
        ProofOptions.Proof proof = proofs.proof(listing.snapshots().size());
        for (List<SnapshotInfo> series : series(listing.snapshots().stream()).values()) {
            ProofOptions.Sorted sorted = proof.sort(series, AgentSeries.home(client));
            checkFlood(sorted.genuine());
            checkClock(sorted.genuine(), Instant.now());
            decisions.addAll(policy.decide(sorted.genuine()));
            apart.addAll(sorted.apart());
        }
        List<Long> going = decisions.stream()
                .filter(decision -> !decision.isKept())
                .map(decision -> decision.snapshot().id())
                .toList();
        if (forecastYears != null) {
            return forecast(policy, decisions);
        }
        List<Long> gone = delete(client, going);
        List<String> problems = new ArrayList<>(listing.damaged().stream()
                .map(line -> "kept, rules can't judge it: " + line)
                .toList());
        problems.addAll(finish(client, decisions, gone));
        return report(problems);
    }

    private int forecast(RetentionPolicy policy, List<RetentionPolicy.Decision> decisions) {
        Stream<SnapshotInfo> ascending = decisions.stream()
                .map(RetentionPolicy.Decision::snapshot)
                .sorted(Comparator.comparingLong(SnapshotInfo::id));
        Map<String, Object> result = new LinkedHashMap<>();
        series(ascending).forEach((name, snapshots) -> {
            if (snapshots.size() > 1) {
                RetentionForecast coming =
                        RetentionForecast.of(policy, snapshots, Objects.requireNonNull(forecastYears));
                result.put(name, coming.kept());
                if (!json.isGiven()) {
                    System.out.println(name + ": " + snapshots.size() + " now, one every "
                            + coming.every().toMinutes() + " min; after each year " + coming.kept());
                }
            }
        });
        if (json.isGiven()) {
            System.out.println(Json.line(Map.of("forecast", result)));
        }
        return 0;
    }

    private void checkFlood(List<SnapshotInfo> series) throws IOException {
        if (series.isEmpty()) {
            return;
        }
        Instant dayBefore = series.get(series.size() - 1).received().minus(Duration.ofDays(1));
        long recent = series.stream()
                .filter(snapshot -> snapshot.received().isAfter(dayBefore))
                .count();
        if (recent > maxNew) {
            throw new IOException("series '" + series.get(0).name() + "' got " + recent
                    + " snapshots within a day, so nothing is deleted: if that is right, say --max-new " + recent);
        }
    }

    /** @param series ascending */
    static void checkClock(List<SnapshotInfo> series, Instant now) throws IOException {
        if (series.isEmpty()) {
            return;
        }
        SnapshotInfo newest = series.get(series.size() - 1);
        Optional<String> ahead = ReceivedAhead.objection(newest, SnapshotText.name(newest), now);
        if (ahead.isPresent()) {
            throw new IOException("nothing is deleted: " + ahead.get()
                    + "; if both are right now, delete that snapshot by" + " --id " + newest.id());
        }
    }

    private static Map<String, List<SnapshotInfo>> series(Stream<SnapshotInfo> all) {
        return all.collect(
                Collectors.groupingBy(snapshot -> snapshot.name().value(), TreeMap::new, Collectors.toList()));
    }

    private int pruneByIds(AgentClient client) throws IOException {
        List<Long> going = ids.stream().distinct().toList();
        return report(finish(client, List.of(), delete(client, going)));
    }

    /** Deletes, or asks for it; returns those that are gone, or would be. */
    private List<Long> delete(AgentClient client, List<Long> going) throws IOException {
        if (dryRun) {
            return going;
        }
        List<Long> gone = new ArrayList<>();
        for (List<Long> some : Lists.partition(going, WireFormat.MAX_SNAPSHOTS_PAGE)) {
            Optional<PendingDeletion> asked = client.delete(some);
            asked.ifPresentOrElse(waiting::add, () -> gone.addAll(some));
        }
        return gone;
    }

    private int report(List<String> problems) {
        int exitCode = ShredderBackupMain.report(problems);
        return exitCode == 0 && !waiting.isEmpty() ? PendingText.EXIT_CODE : exitCode;
    }

    /** Says what went and what stays, and collects garbage if that is wanted; returns what was wrong then. */
    private List<String> finish(AgentClient client, List<RetentionPolicy.Decision> decisions, List<Long> gone)
            throws IOException {
        if (!json.isGiven()) {
            print(decisions, gone);
        }
        Optional<CollectionRun> run = collect && !dryRun
                ? Optional.of(CollectionRun.of(client, CollectionRun.DEFAULT_MIN_GARBAGE_PERCENT, false))
                : Optional.empty();
        if (json.isGiven()) {
            System.out.println(Json.line(json(decisions, gone, run)));
        } else {
            run.ifPresent(System.out::println);
        }
        return run.map(CollectionRun::problems).orElse(List.of());
    }

    private void print(List<RetentionPolicy.Decision> decisions, List<Long> gone) {
        for (RetentionPolicy.Decision decision : decisions) {
            System.out.println((decision.isKept() ? "keep   " : waiting.isEmpty() ? "delete " : "waits  ")
                    + SnapshotText.line(decision.snapshot())
                    + (decision.isKept() ? "  " + String.join(", ", decision.keptBy()) : ""));
        }
        apart.forEach(snapshot -> System.out.println("apart  " + snapshot));
        System.out.println((dryRun ? "would delete " : "deleted ") + gone.size() + " snapshots");
        waiting.forEach(asked -> System.out.println("waits for confirmation: request " + asked.id() + " for "
                + asked.snapshots().size() + " snapshots, until " + asked.until()
                + "; another client says 'shredder-backup confirm " + asked.id() + "'"));
    }

    private Map<String, Object> json(
            List<RetentionPolicy.Decision> decisions, List<Long> gone, Optional<CollectionRun> run) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("dryRun", dryRun);
        result.put("deleted", gone);
        result.put("waiting", waiting.stream().map(PendingText::json).toList());
        result.put(
                "kept",
                decisions.stream()
                        .filter(RetentionPolicy.Decision::isKept)
                        .map(PruneCommand::kept)
                        .toList());
        result.put("apart", apart.stream().map(one -> one.info().id()).toList());
        run.ifPresent(collected -> result.put("gc", collected.json()));
        return result;
    }

    private static Map<String, Object> kept(RetentionPolicy.Decision decision) {
        Map<String, Object> kept = SnapshotText.json(decision.snapshot());
        kept.put("keptBy", decision.keptBy());
        return kept;
    }
}
