// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.command.NativeCryptography;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.seal.RepositoryKey;
import java.io.IOException;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code shredder-backup verify}. */
@Command(
        name = "verify",
        description = {
            "Have the agent re-read and re-digest a snapshot, or everything it keeps.",
            "With --repository-key: fetch a snapshot and prove every byte here, as a restore would."
        },
        footer = {
            "",
            "What is damaged, or can't be read, is named with file and offset; the rest is verified all the same. From then on",
            "the agent asks for damaged chunks again: the next backup that has them, or 'repair', brings them."
        },
        mixinStandardHelpOptions = true)
final class VerifyCommand implements Callable<Integer> {

    @Parameters(arity = "0..1", paramLabel = "NAME[@ID]", description = "The snapshot; everything if not given.")
    private @Nullable SnapshotChoice choice;

    @ArgGroup(exclusive = false, validate = false, heading = "Of everything, only a part:%n")
    private ScopeOptions part = new ScopeOptions();

    @Mixin
    private SourceOptions source = new SourceOptions();

    @ArgGroup(exclusive = false, heading = "To prove a snapshot with its key:%n")
    private @Nullable KeyOptions keys;

    @Mixin
    private JsonOption json = new JsonOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        if (part.isGiven()) {
            return verifySome();
        }
        if (keys != null) {
            return prove(keys);
        }
        try (AgentClient client = source.connect()) {
            long snapshotId =
                    choice == null ? VerifyRun.EVERYTHING : choice.find(client).id();
            return print(VerifyRun.of(client, snapshotId));
        }
    }

    private int verifySome() throws IOException {
        if (choice != null || keys != null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--sample and --since are for all that the agent keeps: leave the snapshot out");
        }
        ScopeOptions.Chosen chosen = chosen();
        try (AgentClient client = source.connect()) {
            VerifyRun run = VerifyRun.of(client, chosen.scope());
            json.print(
                    () -> {
                        Map<String, Object> result = run.json();
                        result.putAll(chosen.json());
                        return result;
                    },
                    () -> run + ", " + chosen.words());
            return ShredderBackupMain.report(run.problems());
        }
    }

    private ScopeOptions.Chosen chosen() {
        try {
            return part.choose(Clock.systemUTC());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private int prove(KeyOptions given) throws IOException {
        if (choice == null) {
            throw new IOException("with --repository-key one snapshot is proved: name it");
        }
        NativeCryptography.install(); // The other kinds of verification open no seal, so the program begins without.
        RepositoryKey key = given.unlock();
        try (AgentClient client = source.connect();
                DiscardTarget nowhere = new DiscardTarget()) {
            SnapshotInfo snapshot = choice.find(client);
            RestoreSession session = new RestoreSession(client, key);
            ProgressLine.during("proved", snapshot.imageBytes(), session::writtenBytes, () -> {
                session.run(snapshot, nowhere);
                return snapshot;
            });
            return print(new VerifyRun(snapshot.chunkCount(), snapshot.imageBytes(), Set.of()));
        }
    }

    private int print(VerifyRun run) {
        json.print(run::json, run::toString);
        return ShredderBackupMain.report(run.problems());
    }
}
