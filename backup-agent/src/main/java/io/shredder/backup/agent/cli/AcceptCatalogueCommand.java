// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import io.shredder.backup.agent.catalogue.Catalogue;
import io.shredder.backup.agent.catalogue.CatalogueEntry;
import io.shredder.backup.agent.store.Repository;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code backup-agent accept-catalogue}. */
@Command(
        name = "accept-catalogue",
        description = {
            "Take the snapshots that are there for all that there should be. The agent must not be running.",
            "Snapshots that were recorded and whose files are gone are given up: the next collection frees what only they needed."
        },
        mixinStandardHelpOptions = true)
final class AcceptCatalogueCommand implements Callable<Integer> {

    @Option(names = "--repo", required = true, paramLabel = "DIR", description = "Folder of the repository.")
    private Path repo = Path.of("");

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private IndexKeyOption indexKey = new IndexKeyOption();

    @Override
    public Integer call() throws IOException {
        Catalogue.Accepted accepted =
                Repository.acceptCatalogue(store.place(repo), indexKey.file(repo), Clock.systemUTC());
        accepted.lost().forEach(entry -> System.out.println("given up  " + text(entry)));
        accepted.found().forEach(entry -> System.out.println("taken in  " + text(entry)));
        System.out.println(accepted.kept() + " snapshots are recorded now, "
                + accepted.lost().size() + " were given up, " + accepted.found().size() + " were not recorded before");
        return 0;
    }

    private static String text(CatalogueEntry entry) {
        return entry.namespace() + "/" + entry.name() + "@" + entry.id()
                + entry.received().map(received -> ", received " + received).orElse("");
    }
}
