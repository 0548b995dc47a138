// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import io.shredder.backup.agent.store.IndexRebuild;
import io.shredder.backup.agent.store.Repository;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code backup-agent rebuild-index}. */
@Command(
        name = "rebuild-index",
        description = "Make a damaged or lost index again from the containers. The agent must not be running.",
        mixinStandardHelpOptions = true)
final class RebuildIndexCommand implements Callable<Integer> {

    @Option(names = "--repo", required = true, paramLabel = "DIR", description = "Folder of the repository.")
    private Path repo = Path.of("");

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private IndexKeyOption indexKey = new IndexKeyOption();

    @Override
    public Integer call() throws IOException {
        IndexRebuild.Result result = Repository.rebuildIndex(store.place(repo), indexKey.file(repo));
        System.out.println("indexed " + result.chunks() + " chunks");
        result.damage().forEach(line -> System.err.println("backup-agent: " + line));
        return result.damage().isEmpty() ? 0 : 1;
    }
}
