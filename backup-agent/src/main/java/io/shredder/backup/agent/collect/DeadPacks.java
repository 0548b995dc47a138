// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.collect;

import io.shredder.backup.agent.audit.AuditLog;
import io.shredder.backup.agent.lists.PagePacks;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** Packs of pages that no list needs any more. One thread. */
final class DeadPacks {

    /** Each takes two forces of the disk. */
    private static final int MOST_TOGETHER = 64;

    private final CollectionGate gate;
    private final PagePacks packs;
    private final AuditLog audit;
    private final LongPredicate isNeeded;
    private @Nullable Iterator<Map.Entry<Long, Long>> left;

    /** @param isNeeded whether any page of a pack lives; asked once marking is done */
    DeadPacks(CollectionGate gate, PagePacks packs, AuditLog audit, LongPredicate isNeeded) {
        this.gate = gate;
        this.packs = packs;
        this.audit = audit;
        this.isNeeded = isNeeded;
    }

    /**
     * Deletes some of them; returns whether there was none left. What they took is not counted: prunes don't count
     * lists either.
     */
    boolean deleteSome() throws IOException {
        if (left == null) {
            left = packs.list().entrySet().iterator();
        }
        for (int deleted = 0; deleted < MOST_TOGETHER; ) {
            if (!left.hasNext()) {
                return true;
            }
            deleted += delete(left.next()) ? 1 : 0;
        }
        return false;
    }

    private boolean delete(Map.Entry<Long, Long> pack) throws IOException {
        long id = pack.getKey();
        // A snapshot that is published from now on has a higher id or is known to the gate; no list can come to
        // need a page that none has.
        if (isNeeded.test(id) || gate.alone(() -> gate.isPublished(id))) {
            return false;
        }
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("pack", id);
        line.put("bytes", pack.getValue());
        audit.record("pack-delete", line);
        packs.delete(id);
        return true;
    }
}
