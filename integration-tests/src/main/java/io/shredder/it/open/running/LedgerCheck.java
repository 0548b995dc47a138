// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.open.running;

import io.shredder.it.open.export.OtherPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Looks into a restored disk of a {@link LedgerGuest}, with e2fsprogs and SQLite. */
final class LedgerCheck {

    /** Where tools/debian-disk.sh puts the root. */
    private static final int ROOT_OFFSET_MIB = 129;

    private static final String DATABASE = "/var/lib/ledger.db";
    private static final long SUM = 1_000_000;

    private final Path folder;

    LedgerCheck(Path folder) {
        this.folder = folder;
    }

    /**
     * What is wrong, if anything is.
     *
     * @param disk a raw disk, whose journal is replayed as a mount would
     * @param committed what the database had said to be forced before the backup began
     */
    Optional<String> of(Path disk, long committed) throws IOException, InterruptedException {
        String root = folder.resolve("root.img").toString();
        OtherPrograms.must(
                "dd", "if=" + disk, "of=" + root, "bs=1M", "skip=" + ROOT_OFFSET_MIB, "conv=sparse", "status=none");
        OtherPrograms.Said replayed = OtherPrograms.run("e2fsck", "-y", "-E", "journal_only", root);
        if (replayed.code() > 1) {
            return Optional.of("the journal isn't replayed: " + replayed.text());
        }
        OtherPrograms.Said checked = OtherPrograms.run("e2fsck", "-f", "-n", root);
        if (checked.code() != 0) {
            return Optional.of("fsck: " + checked.text());
        }
        Path database = folder.resolve("ledger.db");
        for (String suffix : List.of("", "-wal")) {
            Path to = Path.of(database + suffix);
            Files.deleteIfExists(to);
            OtherPrograms.run("debugfs", "-R", "dump " + DATABASE + suffix + " " + to, root);
        }
        Files.deleteIfExists(Path.of(database + "-shm"));
        OtherPrograms.Said asked = OtherPrograms.run(
                "sqlite3",
                database.toString(),
                "PRAGMA integrity_check; SELECT sum(money) FROM account; SELECT count(*), max(id) FROM moved;");
        List<String> answers = asked.text().strip().lines().toList();
        if (asked.code() != 0 || answers.size() != 3 || !answers.get(0).equals("ok")) {
            return Optional.of("SQLite: " + asked.text());
        }
        if (Long.parseLong(answers.get(1)) != SUM) {
            return Optional.of("the sum is " + answers.get(1) + " instead of " + SUM);
        }
        String[] counts = answers.get(2).split("\\|", -1);
        if (!counts[0].equals(counts[1])) {
            return Optional.of(counts[0] + " transactions, and " + counts[1] + " is the last");
        }
        if (Long.parseLong(counts[1]) < committed) {
            return Optional.of("transaction " + counts[1] + " is the last, but " + committed + " was forced before");
        }
        return Optional.empty();
    }
}
