// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.SnapshotInfo;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code backup-server show}. */
@Command(name = "show", description = "Show one snapshot.", mixinStandardHelpOptions = true)
final class ShowCommand implements Callable<Integer> {

    private static final int PAGE_REFS = 4096;

    @Parameters(paramLabel = "NAME[@ID]", description = "The snapshot; the latest of its name without an id.")
    private SnapshotChoice choice = SnapshotChoice.parse("x");

    @Mixin
    private AgentOptions agent = new AgentOptions();

    @Option(names = "--chunks", description = "Print offset, length and digest of every chunk, too.")
    private boolean chunks;

    @Option(names = "--json", description = "Print one line of JSON (without chunks).")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        try (AgentClient client = agent.connect()) {
            SnapshotInfo snapshot = choice.find(client);
            if (json) {
                System.out.println(Json.line(SnapshotText.json(snapshot)));
            } else {
                for (Map.Entry<String, Object> entry :
                        SnapshotText.json(snapshot).entrySet()) {
                    System.out.println(entry.getKey() + ": " + entry.getValue());
                }
            }
            if (chunks) {
                printChunks(client, snapshot);
            }
        }
        return 0;
    }

    private static void printChunks(AgentClient client, SnapshotInfo snapshot) throws IOException {
        long offset = 0;
        for (long from = 0; from < snapshot.chunkCount(); from += PAGE_REFS) {
            List<ChunkRef> page = client.show(snapshot.id(), from, PAGE_REFS);
            for (ChunkRef ref : page) {
                System.out.println(offset + " " + ref.length() + " " + ref.fingerprint());
                offset += ref.length();
            }
        }
    }
}
