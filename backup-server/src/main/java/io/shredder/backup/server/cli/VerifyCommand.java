// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.AgentException;
import io.shredder.backup.command.NativeCryptography;
import io.shredder.backup.keepers.KeepersState;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.cli.option.CoresOption;
import io.shredder.backup.server.cli.option.JsonOption;
import io.shredder.backup.server.cli.option.KeyOptions;
import io.shredder.backup.server.cli.option.ScopeOptions;
import io.shredder.backup.server.cli.option.SourceOptions;
import io.shredder.backup.server.cli.option.StateOptions;
import io.shredder.backup.server.cli.option.TrustedChoice;
import io.shredder.backup.server.cli.option.Warnings;
import io.shredder.backup.server.restore.RestoreSession;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.targets.DiscardTarget;
import io.shredder.backup.server.text.KeepersText;
import io.shredder.backup.server.text.ProgressLine;
import io.shredder.backup.server.transfer.DamageSearch;
import io.shredder.backup.server.transfer.DamagedSnapshot;
import io.shredder.backup.server.transfer.VerifyRun;
import io.shredder.backup.server.trust.AgentSeries;
import io.shredder.backup.snapshot.SnapshotInfo;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

/** {@code shredder-backup verify}. */
@Command(
        name = "verify",
        description = {
            "Have the agent re-read and re-digest a snapshot, or everything it keeps.",
            "With --repository-key: fetch a snapshot and prove every byte here, as a restore would; of everything,",
            "have the agent re-read it and say which ranges of images are damaged."
        },
        footer = {
            "",
            "Each snapshot that is hurt has a line; --details names what is damaged, or can't be read, with file",
            "and offset. The rest is verified all the same. From then on the agent asks for damaged chunks again:",
            "the next backup that has them, or 'repair', brings them."
        },
        mixinStandardHelpOptions = true)
final class VerifyCommand implements Callable<Integer> {

    @Parameters(arity = "0..1", paramLabel = "NAME[@ID]", description = "The snapshot; everything if not given.")
    private @Nullable SnapshotChoice choice;

    @ArgGroup(exclusive = false, validate = false, heading = "Of everything, only a part:%n")
    private ScopeOptions part = new ScopeOptions();

    @Mixin
    private SourceOptions source = new SourceOptions();

    @ArgGroup(exclusive = false, heading = "To prove a snapshot with its key, or name damaged ranges:%n")
    private @Nullable KeyOptions keys;

    @Option(names = "--details", description = "A line for each damaged or missing chunk, too.")
    private boolean details;

    @Mixin
    private CoresOption cores = new CoresOption();

    @Mixin
    private StateOptions state = new StateOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        if (keys != null && choice != null && !part.isGiven()) {
            return prove(keys, choice);
        }
        cores.refuse(
                "a snapshot that is proved here with --repository-key: what the agent verifies takes its own cores");
        if (part.isGiven()) {
            return verifySome();
        }
        Optional<RepositoryKey> key = key();
        try (AgentClient client = source.connect()) {
            return sayingWhoIsAway(client, () -> verify(client, key));
        }
    }

    private int verify(AgentClient client, Optional<RepositoryKey> key) throws IOException {
        if (choice == null) {
            return report(client, VerifyRun.of(client, VerifyRun.EVERYTHING), Optional.empty(), key);
        }
        SnapshotInfo snapshot = choice.find(client);
        return report(client, VerifyRun.of(client, snapshot.id()), Optional.of(snapshot), key);
    }

    /** An agent that can't go on may have lost keepers: that is said before what it says of it. */
    private static int sayingWhoIsAway(AgentClient client, JsonOption.Work work) throws IOException {
        try {
            return work.run();
        } catch (AgentException e) {
            Warnings.print(
                    client.keepers().flatMap(KeepersText::warning).stream().toList());
            throw e;
        }
    }

    private int verifySome() throws IOException {
        if (choice != null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--sample and --since are for all that the agent keeps: leave the snapshot out");
        }
        ScopeOptions.Chosen chosen = chosen();
        Optional<RepositoryKey> key = key();
        try (AgentClient client = source.connect()) {
            return sayingWhoIsAway(client, () -> {
                VerifyRun run = VerifyRun.of(client, chosen.scope());
                List<DamagedSnapshot> hurt = hurt(client, run, Optional.empty(), key);
                return report(run, hurt, chosen.json(), ", " + chosen.words(), client.keepers());
            });
        }
    }

    private ScopeOptions.Chosen chosen() {
        try {
            return part.choose(Clock.systemUTC());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    /** The other kinds of verification open no seal, so the program begins without the library. */
    private Optional<RepositoryKey> key() throws IOException {
        if (keys == null) {
            return Optional.empty();
        }
        NativeCryptography.install();
        return Optional.of(keys.unlock());
    }

    private int prove(KeyOptions given, SnapshotChoice chosen) throws IOException {
        NativeCryptography.install();
        RepositoryKey key = given.unlock();
        try (AgentClient client = source.connect();
                DiscardTarget nowhere = new DiscardTarget()) {
            return sayingWhoIsAway(client, () -> prove(client, key, chosen, nowhere));
        }
    }

    private int prove(AgentClient client, RepositoryKey key, SnapshotChoice chosen, DiscardTarget nowhere)
            throws IOException {
        SnapshotInfo snapshot =
                new TrustedChoice(client, key, state.commits()).find(chosen).info();
        RestoreSession session = new RestoreSession(client, key, cores.get());
        ProgressLine.during("proved", snapshot.imageBytes(), session::writtenBytes, () -> {
            session.run(snapshot, nowhere);
            return snapshot;
        });
        VerifyRun run = new VerifyRun(snapshot.chunkCount(), snapshot.imageBytes(), Set.of());
        return report(run, List.of(), Map.of(), "", client.keepers());
    }

    private int report(AgentClient client, VerifyRun run, Optional<SnapshotInfo> only, Optional<RepositoryKey> key)
            throws IOException {
        return report(run, hurt(client, run, only, key), Map.of(), "", client.keepers());
    }

    /** If it can't be told, all details are. */
    private List<DamagedSnapshot> hurt(
            AgentClient client, VerifyRun run, Optional<SnapshotInfo> only, Optional<RepositoryKey> key) {
        if (run.problems().isEmpty()) {
            return List.of();
        }
        try {
            List<SnapshotInfo> among = only.isPresent()
                    ? List.of(only.get())
                    : AgentSeries.listAll(client).snapshots();
            return new DamageSearch(client, key, run.problems()).among(among);
        } catch (IOException e) {
            run.problems().add("which snapshots are hurt is not known: " + e.getMessage());
            details = true;
            return List.of();
        }
    }

    private int report(
            VerifyRun run,
            List<DamagedSnapshot> hurt,
            Map<String, Object> more,
            String words,
            Optional<KeepersState> keepers) {
        json.print(
                () -> {
                    Map<String, Object> result = run.json();
                    result.put(
                            "damagedSnapshots",
                            hurt.stream().map(DamagedSnapshot::json).toList());
                    result.putAll(more);
                    keepers.ifPresent(state -> result.put("store", KeepersText.json(state)));
                    return result;
                },
                () -> run
                        + words
                        + keepers.map(state -> System.lineSeparator() + "keepers: " + KeepersText.summary(state))
                                .orElse(""));
        List<String> lines = new ArrayList<>();
        keepers.filter(state -> !state.readable()).flatMap(KeepersText::warning).ifPresent(lines::add);
        hurt.forEach(snapshot -> lines.add(snapshot.toString()));
        long left = 0;
        for (String problem : run.problems()) {
            if (details || !DamageSearch.isOfChunk(problem)) {
                lines.add(problem);
            } else {
                left++;
            }
        }
        if (left > 0) {
            lines.add(left + (left == 1 ? " place is" : " places are") + " damaged, "
                    + (hurt.isEmpty() ? "none of which a snapshot of this client needs" : "which hurts the above")
                    + ": --details names file and offset");
        }
        return ShredderBackupMain.report(lines);
    }
}
