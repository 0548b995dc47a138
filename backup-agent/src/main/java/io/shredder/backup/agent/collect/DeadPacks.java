// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.collect;

import io.shredder.backup.agent.audit.AuditLog;
import io.shredder.backup.agent.catalogue.PagePacks;
import io.shredder.backup.agent.catalogue.SeenPages;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Packs of pages that no list needs any more. One thread. */
final class DeadPacks {

    private final CollectionGate gate;
    private final PagePacks packs;
    private final AuditLog audit;
    private final SeenPages seen;

    /** @param seen the pages that live, once marking is done */
    DeadPacks(CollectionGate gate, PagePacks packs, AuditLog audit, SeenPages seen) {
        this.gate = gate;
        this.packs = packs;
        this.audit = audit;
        this.seen = seen;
    }

    /** Deletes them. What they took is not counted: prunes don't count lists either. */
    void delete() throws IOException {
        for (Map.Entry<Long, Long> pack : packs.list().entrySet()) {
            long id = pack.getKey();
            // A snapshot that is published from now on has a higher id or is known to the gate; no list can come to
            // need a page that none has.
            if (!seen.hasAnyOf(id) && !gate.alone(() -> gate.isPublished(id))) {
                Map<String, Object> line = new LinkedHashMap<>();
                line.put("pack", id);
                line.put("bytes", pack.getValue());
                audit.record("pack-delete", line);
                packs.delete(id);
            }
        }
    }
}
