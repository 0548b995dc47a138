// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import com.google.common.hash.Hashing;
import io.shredder.backup.snapshot.SnapshotName;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/**
 * What is to be held of one disk.
 *
 * @param disk its name in the machine
 * @param chain tells whose bitmaps are whose: of backups of one name, at one repository, under one key; the same for
 *     all disks that are held together
 * @param lastPoint of the series' last snapshot, if it has one
 */
record DiskPlan(String disk, String chain, Optional<String> lastPoint) {

    private static final int CHAIN_DIGITS = 12;

    /** The chain of backups of this name. */
    static String chain(String key, UUID home, SnapshotName name) {
        byte[] names = (key + " " + home + " " + name).getBytes(StandardCharsets.UTF_8);
        return Hashing.sha256().hashBytes(names).toString().substring(0, CHAIN_DIGITS);
    }

    /** What all bitmaps of the chain begin with. */
    String prefix() {
        return "shredder-c" + chain + "-";
    }

    /** The bitmap that begins with a point. */
    String bitmap(String point) {
        return prefix() + point;
    }
}
