// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lists;

import io.shredder.backup.snapshot.ContentDigest;
import java.io.IOException;

/** {@link SnapshotFile#checkContent}, some pages at a time. For one thread. */
public final class ContentCheck {

    private final SnapshotFile file;
    private final ContentDigest digest;
    private int next;

    ContentCheck(SnapshotFile file) {
        this.file = file;
        this.digest = new ContentDigest(file.info().seal());
    }

    /**
     * Looks at so many more pages. Not to be called again once it said that it is done.
     *
     * @return whether it is done, and the list is what was committed
     */
    public boolean step(int pages) throws IOException {
        if (next == 0) {
            file.listed().checkStart();
        }
        int count = Math.min(pages, file.pages() - next);
        file.listed().addTo(digest, next, count);
        next += count;
        if (next < file.pages()) {
            return false;
        }
        if (!digest.finish().equals(file.info().contentDigest())) {
            throw file.damagedContent();
        }
        return true;
    }
}
