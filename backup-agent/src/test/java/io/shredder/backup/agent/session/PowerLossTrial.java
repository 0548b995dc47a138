// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import io.shredder.backup.powerloss.DiskChange;
import io.shredder.backup.powerloss.DiskImage;
import io.shredder.backup.powerloss.RecordedFiles;
import io.shredder.backup.trial.Tally;
import io.shredder.backup.trial.Trial;
import io.shredder.backup.trial.TrialRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The power fails after every single change that a random life of a repository makes to its disk: containers,
 * snapshots, index, audit log and all. Of what was not forced nothing is left, or all but a part of the last write, or
 * any part. What was promised must be there, what is there must be right, and life goes on. Beyond that a disk that
 * lies: it loses the last force of one file, and that must be found and named.
 */
public final class PowerLossTrial implements Trial {

    /** Long enough for an index to merge meanwhile, or not to. */
    private static final int MAX_PAUSE_MICROS = 400;

    private final int stride;

    /** Tries after one of so many changes: one for all, more for more lives in the same time. */
    public PowerLossTrial(int stride) {
        this.stride = stride;
    }

    @Override
    public String name() {
        return "lost-writes";
    }

    @Override
    public Worker open(Path folder, long seed) {
        return new Lives(folder, stride);
    }

    private record Lives(Path folder, int stride) implements Worker {

        /** One life, and all of its deaths. */
        @Override
        public int attempt(long number, long seed, Tally tally) throws IOException {
            Path lived = Files.createDirectory(folder.resolve("life-" + number));
            RecordedFiles files = new RecordedFiles(lived, MAX_PAUSE_MICROS);
            new RandomLife(files, new Random(seed)).live();
            List<DiskChange> changes = files.changes();
            DiskImage disk = new DiskImage();
            Promises promises = new Promises();
            int deaths = 0;
            for (int i = 0; i < changes.size(); i++) {
                DiskChange change = changes.get(i);
                disk.apply(change);
                promises.follow(change);
                if (i % stride == (int) (number % stride) && promises.haveBegun()) {
                    for (DiskImage.Loss loss : DiskImage.Loss.values()) {
                        die(
                                disk,
                                loss,
                                promises,
                                "life " + number + ", change " + i + " " + describe(change),
                                seed + i,
                                tally);
                        deaths++;
                    }
                }
            }
            boolean holes = changes.stream()
                    .anyMatch(change -> change instanceof DiskChange.Rename rename
                            && rename.to().endsWith("/releasing"));
            tally.count(holes ? "lives with holes" : "lives without holes");
            if (growSideBySide(changes)) {
                tally.count("lives with containers side by side");
            }
            TrialRun.deleteAll(lived);
            return deaths;
        }

        /** Whether a container was appended to after a later one was. */
        private static boolean growSideBySide(List<DiskChange> changes) {
            Map<Integer, String> names = new HashMap<>();
            String last = "";
            for (DiskChange change : changes) {
                if (change instanceof DiskChange.Create create && create.name().endsWith(".container")) {
                    names.put(create.file(), create.name());
                } else if (change instanceof DiskChange.Write write && names.containsKey(write.file())) {
                    String name = names.get(write.file());
                    if (name.compareTo(last) < 0) {
                        return true;
                    }
                    last = write.at() > 0 ? name : last;
                }
            }
            return false;
        }

        private static String describe(DiskChange change) {
            return change instanceof DiskChange.Write write
                    ? "write of " + write.bytes().length + " bytes at " + write.at() + " to file " + write.file()
                    : change instanceof DiskChange.Mark ? "promise" : change.toString();
        }

        private void die(DiskImage disk, DiskImage.Loss loss, Promises promises, String when, long seed, Tally tally)
                throws IOException {
            Path left = folder.resolve("left");
            String stale = disk.writeTo(left, loss, new Random(seed));
            try {
                String seen = promises.check(new RecordedFiles(left).root(), loss == DiskImage.Loss.LIED);
                tally.count(loss.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ') + ": " + seen);
            } catch (IOException | AssertionError e) {
                Path evidence = folder.resolve("evidence");
                Files.createDirectories(evidence);
                disk.writeTo(evidence, loss, new Random(seed));
                throw new AssertionError(when + ", loss " + loss + " " + stale + ": " + e.getMessage(), e);
            }
            TrialRun.deleteAll(left);
        }

        @Override
        public void close() {}
    }
}
