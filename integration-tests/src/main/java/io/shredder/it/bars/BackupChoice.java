// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.backup.BackupPeers;
import io.shredder.it.backup.Operation;
import io.shredder.it.backup.ShredderContender;
import io.shredder.it.corpus.ServerDisk;
import io.shredder.it.figures.SizeConverter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;

/** What of the backup bars to measure, and on what. */
final class BackupChoice {
    private List<String> only = List.of();

    @Option(names = "--rounds", description = "backup: how often; medians count (default: ${DEFAULT-VALUE})")
    private int rounds = 1;

    @Option(
            names = "--disk",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "backup: size of the disk, at least 768m (default: 6400m, the bars' size)")
    private long bytes = ServerDisk.BYTES;

    @Option(
            names = "--cache",
            paramLabel = "FOLDER",
            description = "backup: where downloads and disks are kept (default: ${DEFAULT-VALUE})")
    private Path cache = Path.of(".tools/demo-cache");

    @Option(
            names = "--peers",
            paramLabel = "FOLDER",
            description = "backup: where tools/peers/backup.sh keeps other programs (default: ${DEFAULT-VALUE})")
    private Path peers = Path.of(".tools/backup-peers");

    /** Contenders (shredder, restic, borg, borg-fixed, kopia, desync, rustic) and operations; none: all of both. */
    void choose(List<String> names) {
        only = names;
    }

    /** Names of the contenders, ours first. */
    List<String> contenders() {
        var all = new ArrayList<String>();
        all.add(ShredderContender.NAME);
        all.addAll(BackupPeers.names());
        List<String> chosen = all.stream().filter(only::contains).toList();
        return chosen.isEmpty() ? all : chosen;
    }

    Set<Operation> operations() {
        Set<Operation> chosen = EnumSet.noneOf(Operation.class);
        for (Operation operation : Operation.values()) {
            if (only.contains(operation.title())) {
                chosen.add(operation);
            }
        }
        if (chosen.contains(Operation.LOCAL_RESTORE)) {
            chosen.add(Operation.RESTORE); // What others have beside it.
        }
        return chosen.isEmpty() ? EnumSet.allOf(Operation.class) : chosen;
    }

    /** Words of {@code --only} that name nothing. */
    List<String> unknown() {
        var known = new ArrayList<>(BackupPeers.names());
        known.add(ShredderContender.NAME);
        for (Operation operation : Operation.values()) {
            known.add(operation.title());
        }
        return only.stream().filter(word -> !known.contains(word)).toList();
    }

    int rounds() {
        return rounds;
    }

    long bytes() {
        return bytes;
    }

    Path cache() {
        return cache;
    }

    Path peers() {
        return peers;
    }
}
