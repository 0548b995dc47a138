// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.server.cache.Pieces;
import io.shredder.backup.server.compare.KeptPart;
import io.shredder.backup.server.stage.SharedWork;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Some consecutive chunks of an image on their way through the stages. Filled by the look-up stage, then handed on
 * whole: one stage owns it at a time, but for {@link #forwarded} and {@link #copyRest}.
 */
final class StagedGroup implements ListPart {

    static final int MAX_CHUNKS = 512;

    /**
     * A chunk that the agent is asked about.
     *
     * @param pointers to its bytes: to itself, unless it is made of parts of others
     * @param plain a way to its bytes in case that the agent lacks one of them
     * @param kept parts of it that the last snapshot has
     */
    record Candidate(ChunkRef ref, long offset, List<Pointer> pointers, PlainBytes plain, List<KeptPart> kept) {

        /** Whether it is made of parts of others. */
        boolean isOfOthers() {
            return !pointers.get(0).chunk().equals(ref);
        }

        /** The chunks that have its bytes. */
        Set<Fingerprint> asked() {
            if (pointers.size() == 1) {
                return Set.of(pointers.get(0).fingerprint());
            }
            Set<Fingerprint> asked = new LinkedHashSet<>();
            for (Pointer pointer : pointers) {
                asked.add(pointer.fingerprint());
            }
            return asked;
        }
    }

    /**
     * A chunk of the image.
     *
     * @param pointers to its bytes, unless sending it found better
     * @param pieces for the cache, if there is one
     * @param beginsPage whether a page of a shared list begins with it
     */
    record Entry(ChunkRef ref, List<Pointer> pointers, Optional<Pieces> pieces, boolean beginsPage) {}

    /** A way to the bytes of one chunk. */
    @FunctionalInterface
    interface PlainBytes {
        PlainPart get() throws IOException;
    }

    /** Bytes that are somebody else's, and where they are to be. */
    private record Copy(ByteBuffer from, ByteBuffer to) {
        void run() {
            to.put(from.duplicate());
        }
    }

    private final List<Copy> uncopied = new ArrayList<>();
    private final AtomicBoolean copying = new AtomicBoolean();
    private final CountDownLatch copied = new CountDownLatch(1);
    private final List<Entry> entries = new ArrayList<>();
    private final List<Candidate> candidates = new ArrayList<>();
    private final CompletableFuture<Void> forwarded = new CompletableFuture<>();
    private CompletableFuture<BitSet> found = new CompletableFuture<>();
    private final Map<Fingerprint, List<Pointer>> resolved = new ConcurrentHashMap<>();
    private final GroupData data;

    /** @param spare where its memory comes from, and goes when the data are dropped */
    StagedGroup(GroupData.Pool spare) {
        this.data = spare.take();
    }

    void add(Entry entry) {
        entries.add(entry);
    }

    /** Adds a chunk whose bytes are at hand until they are copied: {@link #copyPart}, {@link #copyRest}. */
    void addCandidate(ChunkRef ref, long offset, ByteBuffer plain, List<KeptPart> kept) {
        PlainPart copy = data.room(plain.remaining());
        uncopied.add(new Copy(plain, copy.bytes()));
        candidates.add(new Candidate(ref, offset, List.of(Pointer.to(ref)), () -> copy, kept));
    }

    /** Adds a chunk whose bytes can be had again, though nobody is likely to want them. */
    void addCandidate(ChunkRef ref, long offset, List<Pointer> pointers, PlainBytes again) {
        candidates.add(new Candidate(ref, offset, pointers, again, List.of()));
    }

    /** Before the group is full: copies the bytes of the chunks that it has so far. */
    void copyPart(SharedWork work) throws IOException {
        work.all(uncopied.size(), (worker, i) -> uncopied.get(i).run());
        uncopied.clear();
    }

    /**
     * Once the group has all of its chunks: returns when the bytes of all are copied. Whoever needs them copies them if
     * nobody has begun to: a thread that is to seal them, or those that must give their memory back. Any number of
     * threads.
     */
    void copyRest() throws IOException {
        if (copying.compareAndSet(false, true)) {
            try {
                uncopied.forEach(Copy::run);
            } finally {
                uncopied.clear();
                copied.countDown();
            }
            return;
        }
        try {
            copied.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    boolean isFull() {
        return entries.size() >= MAX_CHUNKS || data.isFull();
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /** All chunks, in order, as they were cut. */
    List<Entry> entries() {
        return entries;
    }

    /** The chunks that the agent is asked about. */
    List<Candidate> candidates() {
        return candidates;
    }

    /** From here on, the image's bytes that have this identity are found there. */
    void resolve(Fingerprint identity, List<Pointer> pointers) {
        resolved.put(identity, pointers);
    }

    /** Where chunks of this group, and of later ones, are found instead of under their own identity. */
    Map<Fingerprint, List<Pointer>> resolved() {
        return resolved;
    }

    /** The candidates have been sent: their bytes are needed no longer, though the group still waits to be recorded. */
    void dropData() {
        candidates.clear();
        data.giveBack();
    }

    void ask(CompletableFuture<BitSet> answer) {
        found = answer;
    }

    /** Which candidates the agent has. */
    CompletableFuture<BitSet> found() {
        return found;
    }

    /** Complete once the agent has every chunk of the group. */
    CompletableFuture<Void> forwarded() {
        return forwarded;
    }
}
