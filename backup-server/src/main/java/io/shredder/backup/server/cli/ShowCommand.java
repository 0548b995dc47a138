// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.cli.option.JsonOption;
import io.shredder.backup.server.cli.option.KeyOptions;
import io.shredder.backup.server.cli.option.SourceOptions;
import io.shredder.backup.server.cli.option.StateOptions;
import io.shredder.backup.server.cli.option.TrustedChoice;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.snapshot.SnapshotPointers;
import io.shredder.backup.server.text.Json;
import io.shredder.backup.server.text.SnapshotText;
import io.shredder.backup.snapshot.SnapshotInfo;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code shredder-backup show}. */
@Command(name = "show", description = "Show one snapshot.", mixinStandardHelpOptions = true)
final class ShowCommand implements Callable<Integer> {

    @Parameters(paramLabel = "NAME[@ID]", description = "The snapshot; the latest of its name without an id.")
    private SnapshotChoice choice = SnapshotChoice.parse("x");

    @Mixin
    private SourceOptions source = new SourceOptions();

    @Mixin
    private KeyOptions keys = new KeyOptions();

    @Option(names = "--chunks", description = "Print offset, length and identity of every chunk, too.")
    private boolean chunks;

    @Mixin
    private StateOptions state = new StateOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException {
        RepositoryKey key = keys.unlock();
        try (AgentClient client = source.connect()) {
            SnapshotInfo snapshot =
                    new TrustedChoice(client, key, state.commits()).find(choice).info();
            SnapshotPointers pointers = new SnapshotPointers(client, key, snapshot);
            print(SnapshotText.json(snapshot, pointers.summary()));
            if (chunks) {
                printChunks(pointers);
            }
        }
        return 0;
    }

    private void print(Map<String, Object> fields) throws IOException {
        if (json.isGiven()) {
            System.out.println(Json.line(fields));
        } else {
            fields.forEach((name, value) -> System.out.println(name + ": " + value));
        }
    }

    private static void printChunks(SnapshotPointers pointers) throws IOException {
        long offset = 0;
        for (List<Pointer> page = pointers.nextPage(); !page.isEmpty(); page = pointers.nextPage()) {
            for (Pointer pointer : page) {
                String part = pointer.isWhole()
                        ? ""
                        : " from " + pointer.from() + " of " + pointer.chunk().length();
                System.out.println(offset + " " + pointer.length() + " " + pointer.fingerprint() + part);
                offset += pointer.length();
            }
        }
    }
}
