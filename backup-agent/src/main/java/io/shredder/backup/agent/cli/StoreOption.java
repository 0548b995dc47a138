// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import io.shredder.backup.agent.store.StorePlace;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where containers and snapshots are. */
final class StoreOption {

    @Option(
            names = "--store",
            paramLabel = "URI",
            description =
                    "Keep containers and snapshots in this folder of a Hadoop file system, such as hdfs://namenode:8020/backup, or"
                            + " coded over the keepers that a file names, disperse:/etc/keepers.yaml; and in DIR what can"
                            + " be made again from them. HADOOP_CONF_DIR tells of the cluster.")
    private @Nullable URI store;

    @Mixin
    private KeeperTlsOptions keepers = new KeeperTlsOptions();

    StorePlace place(Path repo) throws IOException {
        return new StorePlace(repo, Optional.ofNullable(store), keepers.remotes());
    }
}
