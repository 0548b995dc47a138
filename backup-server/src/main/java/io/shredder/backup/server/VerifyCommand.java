// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.seal.RepositoryKey;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code shredder-backup verify}. */
@Command(
        name = "verify",
        description = {
            "Have the agent re-read and re-digest a snapshot, or everything it keeps.",
            "With --repository-key: fetch a snapshot and prove every byte here, as a restore would."
        },
        mixinStandardHelpOptions = true)
final class VerifyCommand implements Callable<Integer> {

    @Parameters(arity = "0..1", paramLabel = "NAME[@ID]", description = "The snapshot; everything if not given.")
    private @Nullable SnapshotChoice choice;

    @Mixin
    private AgentOptions agent = new AgentOptions();

    @ArgGroup(exclusive = false, heading = "To prove a snapshot with its key:%n")
    private @Nullable KeyOptions keys;

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException {
        if (keys != null) {
            return prove(keys);
        }
        try (AgentClient client = agent.connect()) {
            long snapshotId =
                    choice == null ? VerifyRun.EVERYTHING : choice.find(client).id();
            return print(VerifyRun.of(client, snapshotId));
        }
    }

    private int prove(KeyOptions given) throws IOException {
        if (choice == null) {
            throw new IOException("with --repository-key one snapshot is proved: name it");
        }
        RepositoryKey key = given.unlock();
        try (AgentClient client = agent.connect();
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
