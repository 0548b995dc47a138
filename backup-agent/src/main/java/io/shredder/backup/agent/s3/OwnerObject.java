// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import io.shredder.backup.agent.lease.StoreLease;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The object that says who has the store. It is only ever written in the place of the very content that was read or
 * written last, so of two that try one succeeds; and never deleted, but left with a word that nobody has it. Under the
 * lock of its {@link StoreLease}, but for {@link #isOlderThan}.
 */
final class OwnerObject implements StoreLease.Place {

    private static final Logger LOG = LoggerFactory.getLogger(OwnerObject.class);

    /** Its name. */
    static final String NAME = "owner";

    private static final String NOBODY = "nobody\n";

    private final S3Objects objects;
    private final UUID writer = UUID.randomUUID();
    private Optional<StoredObject> last = Optional.empty();
    private String lastText = NOBODY;
    private volatile @Nullable Instant written;

    OwnerObject(S3Objects objects) {
        this.objects = objects;
    }

    @Override
    public Optional<String> read() throws IOException {
        Optional<S3Objects.Whole> found = objects.whole(NAME);
        last = found.map(S3Objects.Whole::object);
        lastText = found.map(
                        whole -> StandardCharsets.UTF_8.decode(whole.bytes()).toString())
                .orElse(NOBODY);
        return Optional.of(lastText).filter(text -> !text.equals(NOBODY));
    }

    @Override
    public boolean create(String text) throws IOException {
        return put(text);
    }

    @Override
    public boolean replace(String text) throws IOException {
        return put(text);
    }

    private boolean put(String text) throws IOException {
        PutContent content = PutContent.of(StoreLease.encode(text));
        Optional<StoredObject> put = objects.put(NAME, content, writer, last, false);
        if (put.isEmpty()) {
            // What was sent may have arrived all the same, and been sent again since its answer was lost.
            put = objects.head(NAME).filter(there -> there.isOf(writer) && there.has(content));
        }
        if (put.isPresent()) {
            last = put;
            lastText = text;
            written = objects.watch().time().orElse(null);
        }
        return put.isPresent();
    }

    @Override
    public void delete() throws IOException {
        if (!put(NOBODY)) {
            LOG.warn("store {}: another has written its owner object", objects.place());
        }
    }

    /**
     * Sees whether the object store refuses what is put under a condition that doesn't hold: without that, two agents
     * would write over each other. Puts the very content that is there, so that nothing changes where it isn't refused.
     * For whoever has just taken the store.
     *
     * @throws IOException if it doesn't
     */
    void requireConditions() throws IOException {
        requireRefusal(Optional.empty(), "If-None-Match");
        StoredObject another = new StoredObject(0, "\"" + "0".repeat(32) + "\"", Instant.EPOCH, "", "");
        requireRefusal(Optional.of(another), "If-Match");
    }

    private void requireRefusal(Optional<StoredObject> before, String condition) throws IOException {
        PutContent content = PutContent.of(StoreLease.encode(lastText));
        if (!objects.refuses(NAME, content, writer, before)) {
            throw new IOException("store " + objects.place() + ": " + objects.storeName()
                    + " doesn't heed the condition " + condition + ", so that two agents could write over each other's"
                    + " backups: use an object store, or a version of it, that obeys conditional writes");
        }
    }

    /** Whether by the object store's clock so much time has passed since it was written last. */
    boolean isOlderThan(Duration time) {
        Instant then = written;
        Optional<Instant> now = objects.watch().time();
        return then != null && now.isPresent() && now.get().isAfter(then.plus(time));
    }
}
