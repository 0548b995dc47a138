// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.protocol.ChunkRef;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Some consecutive chunks of an image on their way through the stages. Filled by the look-up stage, then handed on whole: one stage owns it
 * at a time, but for {@link #forwarded}.
 */
final class ChunkGroup {

    static final int MAX_CHUNKS = 512;

    /** A chunk that the agent is asked about, and a way to its bytes in case that it is new. */
    record Candidate(ChunkRef ref, PlainBytes plain) {}

    /** The bytes of one chunk, in an array. */
    @FunctionalInterface
    interface PlainBytes {
        ByteBuffer get() throws IOException;
    }

    private final List<ChunkRef> refs = new ArrayList<>();
    private final List<Candidate> candidates = new ArrayList<>();
    private final CompletableFuture<Void> forwarded = new CompletableFuture<>();
    private CompletableFuture<BitSet> found = new CompletableFuture<>();
    private final GroupData data;

    /** @param spare where its memory comes from, and goes when the data are dropped */
    ChunkGroup(GroupData.Pool spare) {
        this.data = spare.take();
    }

    void add(ChunkRef ref) {
        refs.add(ref);
    }

    /** Adds a chunk whose bytes are at hand; copies them. */
    void addCandidate(ChunkRef ref, ByteBuffer plain) {
        ByteBuffer kept = data.copy(plain);
        candidates.add(new Candidate(ref, () -> kept));
    }

    /** Adds a chunk whose bytes can be had again, though nobody is likely to want them. */
    void addCandidate(ChunkRef ref, PlainBytes again) {
        candidates.add(new Candidate(ref, again));
    }

    boolean isFull() {
        return refs.size() >= MAX_CHUNKS || data.isFull();
    }

    boolean isEmpty() {
        return refs.isEmpty();
    }

    /** All chunks, in order, as the snapshot will point to them. */
    List<ChunkRef> refs() {
        return refs;
    }

    /** The chunks that the agent is asked about. */
    List<Candidate> candidates() {
        return candidates;
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
