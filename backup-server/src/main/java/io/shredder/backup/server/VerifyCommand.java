// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.protocol.Answer;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.seal.RepositoryKey;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code backup-server verify}. */
@Command(
        name = "verify",
        description = {
            "Have the agent re-read and re-digest a snapshot, or everything it keeps.",
            "With --repository-key: fetch a snapshot and prove every byte here, as a restore would."
        },
        mixinStandardHelpOptions = true)
final class VerifyCommand implements Callable<Integer> {

    private static final long EVERYTHING = 0;

    @Parameters(arity = "0..1", paramLabel = "NAME[@ID]", description = "The snapshot; everything if not given.")
    private @Nullable SnapshotChoice choice;

    @Mixin
    private AgentOptions agent = new AgentOptions();

    @ArgGroup(exclusive = false, heading = "To prove a snapshot with its key:%n")
    private @Nullable KeyOptions keys;

    @Option(names = "--json", description = "Print one line of JSON.")
    private boolean json;

    private final AtomicLong bytes = new AtomicLong();

    @Override
    public Integer call() throws IOException {
        if (keys != null) {
            return prove(keys);
        }
        Set<String> problems = new LinkedHashSet<>();
        long chunks;
        try (AgentClient client = agent.connect()) {
            long snapshotId = choice == null ? EVERYTHING : choice.find(client).id();
            chunks = ProgressLine.during("verified", 0, bytes::get, () -> verify(client, snapshotId, problems));
        }
        print(chunks, problems);
        return problems.isEmpty() ? 0 : 1;
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
            bytes.set(snapshot.imageBytes());
            print(snapshot.chunkCount(), Set.of());
        }
        return 0;
    }

    private long verify(AgentClient client, long snapshotId, Set<String> problems) throws IOException {
        long chunks = 0;
        long cursor = 0;
        do {
            Answer.Verified part = client.verify(snapshotId, cursor);
            chunks += part.chunks();
            bytes.addAndGet(part.bytes());
            problems.addAll(part.problems());
            cursor = part.nextCursor();
        } while (cursor != 0);
        return chunks;
    }

    private void print(long chunks, Set<String> problems) throws IOException {
        if (json) {
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("chunks", chunks);
            result.put("bytes", bytes.get());
            result.put("problems", problems);
            System.out.println(Json.line(result));
        } else {
            System.out.println("verified " + chunks + " chunks, " + SnapshotText.size(bytes.get()) + ": "
                    + (problems.isEmpty() ? "all good" : problems.size() + " damaged"));
        }
        problems.forEach(line -> System.err.println("backup-server: " + line));
    }
}
