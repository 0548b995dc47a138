// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import io.shredder.backup.agent.lease.StoreLease;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.services.s3.model.CopyObjectRequest;
import software.amazon.awssdk.services.s3.model.DeleteMarkerEntry;
import software.amazon.awssdk.services.s3.model.ListObjectVersionsRequest;
import software.amazon.awssdk.services.s3.model.ListObjectVersionsResponse;
import software.amazon.awssdk.services.s3.model.ObjectVersion;

/**
 * What became of a store's objects in a bucket that keeps versions: there a deletion is a marker, and an overwritten
 * version stays for as long as it is locked. Brings back what was there at a moment. What the agent itself did since is
 * undone, too, which does no harm: what a collection deleted is garbage again. A small container that has grown stays
 * as long as it has become.
 * Holds the store meanwhile. One thread.
 */
public final class VersionHistory implements Closeable {

    private final S3Objects objects;
    private final S3Place place;
    private final StoreLease lease;

    private VersionHistory(S3Objects objects) throws IOException {
        this.objects = objects;
        this.place = objects.place();
        revealOwner();
        this.lease = StoreLease.acquire(
                new OwnerObject(objects), place.toString(), UUID.randomUUID(), StoreLease.Timing.DEFAULT);
        lease.keep();
        objects.watch().setFence(lease::ensureHeld);
    }

    /** Some object stores let nobody make an object where a marker says that there is none. */
    private void revealOwner() throws IOException {
        String key = place.key(OwnerObject.NAME);
        objects.ask("bringing back", OwnerObject.NAME, () -> {
            objects
                    .client()
                    .listObjectVersions(list -> list.bucket(place.bucket()).prefix(key))
                    .deleteMarkers()
                    .stream()
                    .filter(marker -> marker.key().equals(key) && Boolean.TRUE.equals(marker.isLatest()))
                    .forEach(marker -> objects.client()
                            .deleteObject(delete ->
                                    delete.bucket(place.bucket()).key(key).versionId(marker.versionId())));
            return key;
        });
    }

    /** Opens a store's history. */
    public static VersionHistory open(S3Place place, S3Settings settings) throws IOException {
        S3Objects objects = new S3Objects(place, settings, S3Objects.SINGLE_BYTES);
        try {
            return new VersionHistory(objects);
        } catch (IOException | RuntimeException e) {
            objects.close();
            throw e;
        }
    }

    /** What happened to an object. */
    public enum Kind {
        DELETED,
        OVERWRITTEN,
        /** Was not there before. */
        ADDED
    }

    /**
     * An object that isn't as it was.
     *
     * @param name of the file
     * @param kind what happened last
     * @param at when that was, by the object store's clock
     * @param before the version that was there; empty of one that was added
     * @param later versions and markers since then, the newest first
     * @param isHidden whether those are markers alone
     */
    public record Change(
            String name, Kind kind, Instant at, Optional<String> before, List<String> later, boolean isHidden) {

        /** Takes a copy. */
        public Change {
            later = List.copyOf(later);
        }

        /** Whether something was there that can be brought back. */
        public boolean canBeUndone() {
            return before.isPresent();
        }

        @Override
        public String toString() {
            return switch (kind) {
                        case DELETED -> "deleted      ";
                        case OVERWRITTEN -> "overwritten  ";
                        case ADDED -> "added        ";
                    } + at + "  " + name;
        }
    }

    /** A version, or a marker that says that there is none. */
    private record Event(String id, Instant at, boolean isMarker, String etag, long bytes, boolean isLatest) {

        boolean hasContentOf(Event other) {
            return !isMarker && !other.isMarker && bytes == other.bytes && etag.equals(other.etag);
        }
    }

    /** What isn't as it was at a moment, by name. */
    public List<Change> changesSince(Instant moment) throws IOException {
        List<Change> changes = new ArrayList<>();
        for (Map.Entry<String, List<Event>> object : events().entrySet()) {
            if (!object.getKey().equals(OwnerObject.NAME)) {
                change(object.getKey(), object.getValue(), moment).ifPresent(changes::add);
            }
        }
        return changes;
    }

    /** By name, of each the newest first. */
    private Map<String, List<Event>> events() throws IOException {
        Map<String, List<Event>> events = new TreeMap<>();
        ListObjectVersionsRequest all = ListObjectVersionsRequest.builder()
                .bucket(place.bucket())
                .prefix(place.key(""))
                .build();
        objects.ask("listing", "all versions", () -> {
            for (ListObjectVersionsResponse page : objects.client().listObjectVersionsPaginator(all)) {
                for (ObjectVersion version : page.versions()) {
                    events.computeIfAbsent(place.name(version.key()), name -> new ArrayList<>())
                            .add(new Event(
                                    version.versionId(),
                                    version.lastModified(),
                                    false,
                                    version.eTag(),
                                    version.size(),
                                    Boolean.TRUE.equals(version.isLatest())));
                }
                for (DeleteMarkerEntry marker : page.deleteMarkers()) {
                    events.computeIfAbsent(place.name(marker.key()), name -> new ArrayList<>())
                            .add(new Event(
                                    marker.versionId(),
                                    marker.lastModified(),
                                    true,
                                    "",
                                    0,
                                    Boolean.TRUE.equals(marker.isLatest())));
                }
            }
            return events;
        });
        events.values()
                .forEach(list -> list.sort(Comparator.comparing((Event event) -> !event.isLatest())
                        .thenComparing(Event::at, Comparator.reverseOrder())));
        return events;
    }

    private Optional<Change> change(String name, List<Event> newestFirst, Instant moment) throws IOException {
        int then = 0;
        while (then < newestFirst.size() && isAfter(name, newestFirst, then, moment)) {
            then++;
        }
        then = grown(name, newestFirst, then);
        Event now = newestFirst.get(0);
        List<Event> since = newestFirst.subList(0, then);
        List<String> later = since.stream().map(Event::id).toList();
        boolean hidden = since.stream().allMatch(Event::isMarker);
        Optional<Event> before = then == newestFirst.size() ? Optional.empty() : Optional.of(newestFirst.get(then));
        if (then == 0 || before.filter(now::hasContentOf).isPresent()) {
            return Optional.empty();
        }
        if (before.isEmpty() || before.get().isMarker()) {
            return now.isMarker()
                    ? Optional.empty()
                    : Optional.of(new Change(name, Kind.ADDED, now.at(), Optional.empty(), later, hidden));
        }
        Kind kind = now.isMarker() ? Kind.DELETED : Kind.OVERWRITTEN;
        return Optional.of(
                new Change(name, kind, now.at(), Optional.of(before.get().id()), later, hidden));
    }

    /**
     * Whether an event came after a moment, by the object store's clock. Some say of a version when it ceased to be the
     * newest, and of a marker when what it hides was written: so a marker is no older than that, and the first version
     * of a name may be as old as its writer said. Nobody gains by a lie about that: it is the first.
     */
    private boolean isAfter(String name, List<Event> newestFirst, int index, Instant moment) throws IOException {
        Event event = newestFirst.get(index);
        boolean first = index == newestFirst.size() - 1;
        if (event.isMarker() && !first) {
            return event.at().isAfter(moment) || newestFirst.get(index + 1).at().isAfter(moment);
        }
        return event.at().isAfter(moment) && (event.isMarker() || !first || !wasWrittenBy(name, event, moment));
    }

    private boolean wasWrittenBy(String name, Event version, Instant moment) throws IOException {
        return objects.ask("looking at", name, () -> StoredObject.written(objects.client()
                        .headObject(head ->
                                head.bucket(place.bucket()).key(place.key(name)).versionId(version.id()))
                        .metadata())
                .filter(written -> !written.isAfter(moment))
                .isPresent());
    }

    /** From a version on to what it has become by growing. */
    private int grown(String name, List<Event> newestFirst, int from) throws IOException {
        int at = from;
        while (at > 0
                && at < newestFirst.size()
                && !newestFirst.get(at).isMarker()
                && !newestFirst.get(at - 1).isMarker()
                && hasGrown(name, newestFirst.get(at), newestFirst.get(at - 1))) {
            at--;
        }
        return at;
    }

    /** Whether all of it is still there, and more behind it: as it is with a container that was small. */
    private boolean hasGrown(String name, Event before, Event now) throws IOException {
        if (before.bytes() >= S3Appendable.GROW_BYTES || now.bytes() < before.bytes()) {
            return false;
        }
        return bytes(name, before, before.bytes()).equals(bytes(name, now, before.bytes()));
    }

    private ByteBuffer bytes(String name, Event version, long count) throws IOException {
        if (count == 0) {
            return ByteBuffer.allocate(0);
        }
        return objects.ask("reading", name, () -> objects.client()
                .getObject(
                        get -> get.bucket(place.bucket())
                                .key(place.key(name))
                                .versionId(version.id())
                                .range("bytes=0-" + (count - 1)),
                        ResponseTransformer.toBytes())
                .asByteBuffer());
    }

    /**
     * Brings back what was there. Where markers alone hide it, they go; else it is copied over what is there, locked
     * anew if there is retention.
     */
    public void undo(Change change) throws IOException {
        String before = change.before().orElseThrow();
        if (change.isHidden()) {
            for (String marker : change.later()) {
                objects.ask("bringing back", change.name(), () -> objects.client()
                        .deleteObject(delete -> delete.bucket(place.bucket())
                                .key(place.key(change.name()))
                                .versionId(marker)
                                .overrideConfiguration(S3Objects.CHANGES)));
            }
            return;
        }
        CopyObjectRequest.Builder copy = CopyObjectRequest.builder()
                .sourceBucket(place.bucket())
                .sourceKey(place.key(change.name()))
                .sourceVersionId(before)
                .destinationBucket(place.bucket())
                .destinationKey(place.key(change.name()))
                .overrideConfiguration(S3Objects.CHANGES);
        objects.retention().ifPresent(lock -> copy.objectLockMode(lock.mode().name())
                .objectLockRetainUntilDate(S3Objects.until(lock)));
        objects.ask("bringing back", change.name(), () -> objects.client().copyObject(copy.build()));
    }

    @Override
    public void close() throws IOException {
        try (objects) {
            lease.close();
        }
    }
}
