// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import io.shredder.backup.agent.cli.store.ObjectStoreOptions;
import io.shredder.backup.agent.store.StorePlace;
import io.shredder.backup.config.ByteSize;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where containers and snapshots are. */
final class StoreOption {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--store",
            paramLabel = "URI",
            description =
                    "Keep containers and snapshots in this folder of a Hadoop file system, such as hdfs://namenode:8020/backup, in"
                            + " an object store, s3://BUCKET/PREFIX, or coded over the keepers that a file names, disperse:/etc/keepers.yaml; and in DIR what can"
                            + " be made again from them. HADOOP_CONF_DIR tells of the cluster.")
    private @Nullable URI store;

    @Option(
            names = "--moves-from",
            paramLabel = "URI",
            description =
                    "The store that had everything so far: its files are moved to --store in the background, while"
                            + " both are used as one. To be named until the log says that all is there.")
    private @Nullable URI movesFrom;

    @Option(
            names = "--move-rate",
            paramLabel = "SIZE",
            description = "Move at most so much a second, such as 20m (default: no limit).")
    private @Nullable ByteSize moveRate;

    @Mixin
    private KeeperTlsOptions keepers = new KeeperTlsOptions();

    @Mixin
    private ObjectStoreOptions objects = new ObjectStoreOptions();

    StorePlace place(Path repo) throws IOException {
        return new StorePlace(repo, Optional.ofNullable(store), keepers.remotes(), moved(), objects.settings());
    }

    private Optional<StorePlace.Moved> moved() {
        if (movesFrom == null) {
            if (moveRate != null) {
                throw new ParameterException(command.commandLine(), "--move-rate needs --moves-from");
            }
            return Optional.empty();
        }
        if (store == null) {
            throw new ParameterException(
                    command.commandLine(), "--moves-from needs --store: the store that files are moved to");
        }
        OptionalLong rate = moveRate == null ? OptionalLong.empty() : OptionalLong.of(moveRate.bytes());
        return Optional.of(new StorePlace.Moved(movesFrom, rate));
    }
}
