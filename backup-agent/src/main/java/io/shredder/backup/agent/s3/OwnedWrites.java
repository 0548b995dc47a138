// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import io.shredder.backup.agent.lease.StoreLease;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes objects as the one who has the store. Each write has a condition: that nothing is there, or the very content
 * that was there. So a request that comes late, or twice, or from an agent that lost the store and doesn't know it yet,
 * changes nothing that anybody wrote since. A condition that doesn't hold is looked into: it may be this content, whose
 * answer was lost. Safe for any number of threads, one for each name.
 */
final class OwnedWrites {

    private static final Logger LOG = LoggerFactory.getLogger(OwnedWrites.class);
    private static final int ATTEMPTS = 6;

    private final S3Objects objects;
    private final StoreLease lease;

    OwnedWrites(S3Objects objects, StoreLease lease) {
        this.objects = objects;
        this.lease = lease;
    }

    /**
     * Puts an object under a name that nobody has had.
     *
     * @throws FileAlreadyExistsException if something else is there that is not of this hold of the store
     */
    StoredObject first(String name, PutContent content) throws IOException {
        return put(name, content, Optional.empty(), false);
    }

    /** The same under a name that is never given out again: what is there came late from a process that died. */
    StoredObject over(String name, PutContent content) throws IOException {
        return put(name, content, Optional.empty(), true);
    }

    /** Puts an object in the place of one; where another has written since, the one who has the store is right. */
    StoredObject again(String name, PutContent content, StoredObject before) throws IOException {
        return put(name, content, Optional.of(before), true);
    }

    private StoredObject put(String name, PutContent content, Optional<StoredObject> known, boolean replaces)
            throws IOException {
        Optional<StoredObject> before = known;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<StoredObject> put = objects.put(name, content, lease.session(), before, true);
            if (put.isEmpty()) {
                before = objects.head(name);
                put = before.filter(there -> there.isOf(lease.session()) && there.has(content));
            }
            if (put.isPresent()) {
                // What was done after the store was lost must not be told as done.
                objects.watch().check();
                return put.get();
            }
            if (before.isPresent() && !before.get().isOf(lease.session())) {
                settle(name, before.get(), replaces);
            }
            S3Objects.pause(attempt);
        }
        throw new IOException("object store of " + objects.place() + ", writing " + name
                + ": something else is there each time: see who else writes to that bucket");
    }

    /** Another hold's object is where this one's was to go. */
    private void settle(String name, StoredObject there, boolean replaces) throws IOException {
        if (!replaces) {
            throw new FileAlreadyExistsException(
                    name,
                    null,
                    "store " + objects.place() + ": it is there already, written at " + there.modified()
                            + " by another process: start this agent again, which looks for what is there");
        }
        lease.doubt();
        lease.ensureHeld();
        LOG.warn(
                "store {}: {} was written at {} by another process than the one that has the store; it is written anew",
                objects.place(),
                name,
                there.modified());
    }
}
