// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.seal.ChunkIdentity;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.cache.CachedChunk;
import io.shredder.backup.server.cache.Pieces;
import io.shredder.backup.server.compare.KeptPart;
import io.shredder.backup.server.stage.SharedWork;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Gathers chunks into groups, asks the agent about each group without waiting, and hands the group on. A chunk that
 * this backup has seen a short while ago is not asked about again, so runs of zeros cost no look-up and no copy. Runs
 * on the thread that chunks.
 */
final class LookupStage {

    /** How many of the last chunks. */
    static final int REMEMBERED = 1 << 16;

    private final AgentClient agent;
    private final RepositoryKey key;
    private final DigestAlgorithm algorithm;
    private final PageCutter cutter = new PageCutter();
    private final HeldPage held = new HeldPage();
    private final EndedPages ended;
    private final ExpectedChunks expected;
    private final ChunkOrigin origin;
    private final SharedWork work;
    private final LookupOutlet outlet;
    /** Identities; the values mean nothing. */
    private final Map<Fingerprint, Boolean> seen = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Fingerprint, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** Groups that were handed on, since {@link #copyData} was called: who seals them may have copied them already. */
    private final List<StagedGroup> uncopied = new ArrayList<>();

    private StagedGroup group;

    private long offset;

    /** Whether all chunks of the page so far are held. */
    private boolean holds;

    LookupStage(
            AgentClient agent,
            RepositoryKey key,
            DigestAlgorithm algorithm,
            ChunkOrigin origin,
            ExpectedChunks expected,
            EndedPages ended,
            SharedWork work,
            LookupOutlet outlet) {
        this.group = outlet.group();
        this.work = work;
        this.outlet = outlet;
        this.agent = agent;
        this.key = key;
        this.algorithm = algorithm;
        this.origin = origin;
        this.expected = expected;
        this.ended = ended;
    }

    /**
     * Takes the next chunk.
     *
     * @param identity of its bytes
     * @param data its bytes, valid until {@link #copyData} returns
     * @param kept parts of it that the last snapshot has
     * @param pieces for the cache, if there is one
     */
    void accept(Fingerprint identity, ByteBuffer data, List<KeptPart> kept, Optional<Pieces> pieces)
            throws IOException {
        ChunkRef ref = new ChunkRef(data.remaining(), identity);
        List<Pointer> pointers = List.of(Pointer.to(ref));
        boolean begins = beginsPage(ref);
        boolean isExpected = expected.contains(ref.fingerprint(), offset + ended.bytes() + held.bytes());
        if (isExpected && holds) {
            held.add(ref, pointers, pieces);
            return;
        }
        begins = release(begins);
        if (isNew(ref)) {
            if (isExpected) {
                addWithoutData(ref, pointers);
            } else {
                group.addCandidate(ref, offset, data, kept);
            }
        }
        add(new StagedGroup.Entry(ref, pointers, pieces, begins));
    }

    /** Takes the next chunk, which the agent most likely has, so that its bytes are read only if it hasn't. */
    void acceptExpected(CachedChunk chunk, Optional<Pieces> pieces) throws IOException {
        boolean begins = beginsPage(chunk.ref());
        if (holds) {
            held.add(chunk.ref(), chunk.pointers(), pieces);
        } else {
            addExpected(chunk.ref(), chunk.pointers(), pieces, begins);
        }
    }

    private void addExpected(ChunkRef ref, List<Pointer> pointers, Optional<Pieces> pieces, boolean begins)
            throws IOException {
        boolean isWhole = pointers.size() == 1 && pointers.get(0).chunk().equals(ref);
        if (!isWhole || isNew(ref)) {
            addWithoutData(ref, pointers);
        }
        add(new StagedGroup.Entry(ref, pointers, pieces, begins));
    }

    /**
     * Whether a page begins with this chunk. What is held of the one before is shared some time, or goes the usual way.
     */
    private boolean beginsPage(ChunkRef ref) throws IOException {
        boolean begins = cutter.begins(ref);
        if (begins) {
            endPage();
            holds = ended.isWorthIt();
        }
        return begins;
    }

    private void endPage() throws IOException {
        if (held.bytes() > 0) {
            ended.add(held);
        }
        while (ended.isDue()) {
            settle(ended.next().orElseThrow());
        }
    }

    /** Shares a page, or has its chunks go the usual way. */
    private void settle(EndedPages.Known page) throws IOException {
        if (page.numbers().isEmpty()) {
            addAll(page.chunks());
            return;
        }
        if (!group.isEmpty()) {
            handOn();
        }
        offset += page.bytes();
        outlet.put(new SharedPart(page.numbers(), page.chunks()));
    }

    private void settleAll() throws IOException {
        for (Optional<EndedPages.Known> page = ended.next(); page.isPresent(); page = ended.next()) {
            settle(page.get());
        }
    }

    /**
     * The chunks held go the usual way, behind the pages that ended, and so does the rest of the page.
     *
     * @param begins whether the page begins with the next chunk if none is held
     * @return whether it begins with the next chunk
     */
    private boolean release(boolean begins) throws IOException {
        holds = false;
        settleAll();
        if (held.bytes() == 0) {
            return begins;
        }
        addAll(held.take());
        return false;
    }

    /** Of a page, from its beginning on. */
    private void addAll(List<SharedPart.Chunks> page) throws IOException {
        boolean first = true;
        for (SharedPart.Chunks chunks : page) {
            for (int i = 0; i < chunks.count(); i++) {
                addExpected(chunks.ref(), chunks.pointers(), chunks.pieces(), first);
                first = false;
            }
        }
    }

    /** Nobody looks at the data of chunks again that were given so far. */
    void copyData() throws IOException {
        work.all(uncopied.size(), (worker, i) -> uncopied.get(i).copyRest());
        uncopied.clear();
        group.copyPart(work);
    }

    private boolean isNew(ChunkRef ref) {
        return seen.put(ref.fingerprint(), Boolean.TRUE) == null;
    }

    private void addWithoutData(ChunkRef ref, List<Pointer> pointers) {
        long at = offset;
        group.addCandidate(ref, at, pointers, () -> readAgain(ref, at));
    }

    private void add(StagedGroup.Entry entry) throws IOException {
        group.add(entry);
        offset += entry.ref().length();
        if (group.isFull()) {
            handOn();
        }
    }

    /** Any thread: the agent has lost what the last snapshot points to. */
    private PlainPart readAgain(ChunkRef ref, long at) throws IOException {
        ByteBuffer plain = ByteBuffer.wrap(origin.bytes(at, ref.length()));
        if (!new ChunkIdentity(key, algorithm).ofData(plain.duplicate()).equals(ref.fingerprint())) {
            throw new IOException("the image changed at " + at + " while it was read: back it up when nobody writes it,"
                    + " or a snapshot of it");
        }
        return PlainPart.of(plain);
    }

    /** The image has ended. */
    void finish() throws IOException {
        endPage();
        settleAll();
        if (!group.isEmpty()) {
            handOn();
        }
        outlet.close();
    }

    private void handOn() throws IOException {
        StagedGroup full = group;
        group = outlet.group();
        full.ask(
                full.candidates().isEmpty() ? CompletableFuture.completedFuture(new BitSet()) : ask(full.candidates()));
        // Of a long run of equal chunks there are many groups before the next copyData, which nothing is to be copied
        // of.
        if (!full.candidates().isEmpty()) {
            uncopied.add(full);
        }
        outlet.put(full);
    }

    /** A bit for each candidate: whether the agent has all that it needs. */
    private CompletableFuture<BitSet> ask(List<StagedGroup.Candidate> candidates) {
        List<Fingerprint> asked = new ArrayList<>();
        int[] counts = new int[candidates.size()];
        for (int i = 0; i < counts.length; i++) {
            Set<Fingerprint> ofOne = candidates.get(i).asked();
            asked.addAll(ofOne);
            counts[i] = ofOne.size();
        }
        return agent.lookup(asked).thenApply(found -> allFound(found, counts));
    }

    private static BitSet allFound(BitSet found, int[] counts) {
        BitSet all = new BitSet();
        int at = 0;
        for (int i = 0; i < counts.length; i++) {
            all.set(i, found.nextClearBit(at) >= at + counts[i]);
            at += counts[i];
        }
        return all;
    }
}
