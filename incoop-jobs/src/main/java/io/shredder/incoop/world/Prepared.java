// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.world;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * An object of the job that has been made and set up, and is never used: copies of it are. What belongs to one chunk,
 * such as its configuration, is another one's in each copy. One thread.
 */
public final class Prepared {

    private final Inside inside;
    private final Object unused;
    /** What stands for the things of a chunk, in their order: empty objects, so it holds no chunk's buffers. */
    private final List<Object> places;

    private final Sightings seen;

    private Prepared(Inside inside, Object unused, List<Object> places, Sightings seen) {
        this.inside = inside;
        this.unused = unused;
        this.places = places;
        this.seen = seen;
    }

    /**
     * From an object that was just set up, and is used hereafter.
     *
     * @param shared what others than the object hold, by identity
     * @param ofChunk things of this chunk that it may hold
     * @param seen of the making of the object
     * @throws ObjectCopy.NotCopiedException if it can't be copied for sure
     */
    static Prepared of(Inside inside, Set<Object> shared, Object object, List<Object> ofChunk, Sightings seen)
            throws ObjectCopy.NotCopiedException {
        List<Object> places = new ArrayList<>();
        for (Object each : ofChunk) {
            places.add(ObjectCopy.unmade(each.getClass()));
        }
        Object copy = new ObjectCopy(inside, shared, replacing(ofChunk, places)).of(object);
        return new Prepared(inside, copy, places, seen);
    }

    /**
     * One more.
     *
     * @param ofChunk the things of its chunk, as many and in the same order as when this was prepared
     * @param sightings told what was seen as the object was made
     */
    public Object copy(List<Object> ofChunk, Sightings sightings) {
        sightings.include(seen);
        try {
            return new ObjectCopy(inside, Set.of(), replacing(places, ofChunk)).of(unused);
        } catch (ObjectCopy.NotCopiedException e) {
            throw new IllegalStateException("a copy can't be copied", e);
        }
    }

    private static IdentityHashMap<Object, Object> replacing(List<Object> those, List<Object> by) {
        IdentityHashMap<Object, Object> replacements = new IdentityHashMap<>();
        for (int i = 0; i < those.size(); i++) {
            replacements.put(those.get(i), by.get(i));
        }
        return replacements;
    }
}
