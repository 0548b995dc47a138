// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.backup.BackupLab;
import io.shredder.it.backup.BackupPeers;
import io.shredder.it.backup.Contender;
import io.shredder.it.backup.ShredderContender;
import io.shredder.it.backup.Sources;
import io.shredder.it.corpus.ChangedBlocks;
import io.shredder.it.corpus.Folders;
import io.shredder.it.corpus.ServerDisk;
import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Backups of a server's disk and of its next version beside other people's programs. All figures are of the clock on
 * the wall: measure on a quiet machine.
 */
final class BackupBars implements BarSet {
    @Override
    public void measure(Measuring measuring) throws IOException, InterruptedException {
        BackupChoice choice = measuring.backup();
        Path root = measuring.root();
        Path work = Files.createDirectories(root.resolve("target/bars/backup"));
        Path logs = Files.createDirectories(work.resolve("logs"));
        System.out.println(Machine.description());
        ServerDisk.Versions images =
                ServerDisk.in(choice.cache().toAbsolutePath(), logs, measuring.children(), choice.bytes());
        Folders.delete(work.resolve("sources"));
        Sources sources = Sources.link(work.resolve("sources"), images.first(), images.second());
        System.out.println(
                ChangedBlocks.between(images.first(), images.second()).text());

        Map<String, Contender.Opener> openers = openers(measuring, choice);
        var lab = new BackupLab(measuring.children(), work, sources, choice.operations());
        for (int round = 1; round <= choice.rounds(); round++) {
            lab.round(round, openers, (name, why) -> measuring.record(failed(name, why)));
        }
        new BackupVerdicts(lab.measured(), sources).bars().forEach(measuring::record);
    }

    /** What fails of ours is a bar that fell short; what fails of others is a figure that could not be had. */
    private static Bar failed(String name, IOException why) {
        String problem = String.valueOf(why.getMessage());
        return name.equals(ShredderContender.NAME)
                ? Bar.holds(name, false, problem, "a figure")
                : Bar.notRun(name, problem);
    }

    private static Map<String, Contender.Opener> openers(Measuring measuring, BackupChoice choice)
            throws IOException, InterruptedException {
        var openers = new LinkedHashMap<String, Contender.Opener>();
        List<String> others = new ArrayList<>(choice.contenders());
        if (others.remove(ShredderContender.NAME)) {
            openers.put(
                    ShredderContender.NAME,
                    (folder, sources) ->
                            ShredderContender.open(measuring.root(), folder, sources, measuring.children()));
        }
        var peers = BackupPeers.in(choice.peers().toAbsolutePath(), measuring.root(), others, measuring.children());
        for (String name : others) {
            Optional<Contender.Opener> opener = peers.opener(name);
            if (opener.isPresent()) {
                openers.put(name, opener.get());
            } else {
                measuring.record(Bar.notRun(name, peers.whyMissing(name)));
            }
        }
        return openers;
    }
}
