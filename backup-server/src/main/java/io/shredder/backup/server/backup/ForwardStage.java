// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.posix.ThreadNiceness;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.seal.ChunkIdentity;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.seal.RegionSealer;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.stage.CoresShare;
import io.shredder.backup.server.stage.Pipe;
import io.shredder.backup.server.stage.Stage;
import io.shredder.backup.server.stage.StageTime;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Compresses, seals and sends the chunks of each group that the agent doesn't have; of a chunk that the last snapshot
 * has in part, only the rest. May run on several threads at once.
 */
final class ForwardStage implements Stage {

    private final AgentClient agent;
    private final RepositoryKey key;
    private final DigestAlgorithm algorithm;
    private final Pipe<StagedGroup> groups;
    private final StageTime time;
    private final SealingEffort efforts;
    private final CoresShare cores;
    private final AtomicInteger threads = new AtomicInteger();
    private final AtomicLong newChunks = new AtomicLong();
    private final AtomicLong newBytes = new AtomicLong();
    private final AtomicLong storedBytes = new AtomicLong();

    ForwardStage(
            AgentClient agent,
            RepositoryKey key,
            DigestAlgorithm algorithm,
            Pipe<StagedGroup> groups,
            CoresShare cores,
            StageTime time) {
        this.cores = cores;
        this.agent = agent;
        this.key = key;
        this.algorithm = algorithm;
        this.groups = groups;
        this.time = time;
        this.efforts = new SealingEffort(time, cores);
        cores.share().watch(groups::recheck);
    }

    /**
     * Gives way to those who bring groups and take regions away: while they wait for a core, all of these would soon
     * wait.
     */
    @Override
    public void run() throws IOException {
        int number = threads.getAndIncrement();
        ThreadNiceness.giveWay();
        time.present(() -> {
            try (RegionSealer sealer = new RegionSealer(key, new SecureRandom());
                    GrowingRegion region = new GrowingRegion()) {
                for (Optional<StagedGroup> group = take(number); group.isPresent(); group = take(number)) {
                    forwardOrFail(group.get(), sealer, region);
                }
            }
        });
    }

    /** Of a thread that there are others in front of: only while this image's share of the cores is more than those. */
    private Optional<StagedGroup> take(int number) throws IOException {
        return time.awaitingInput(() -> groups.take(() -> number < cores.sealing()));
    }

    /** Whoever waits for the group must learn of a failure, too. */
    private void forwardOrFail(StagedGroup group, RegionSealer sealer, GrowingRegion region) throws IOException {
        try {
            forward(group, sealer, region);
        } catch (IOException | RuntimeException | Error e) {
            group.forwarded().completeExceptionally(e);
            throw e;
        }
    }

    private void forward(StagedGroup group, RegionSealer sealer, GrowingRegion region) throws IOException {
        group.copyRest();
        BitSet found = time.awaitingInput(() -> Answers.await(group.found()));
        RegionSealer.Effort effort = efforts.of(group.candidates().size(), found.cardinality(), !groups.isEmpty());
        Sending sending = new Sending(group, sealer, region, effort);
        for (int i = found.nextClearBit(0); i < group.candidates().size(); i = found.nextClearBit(i + 1)) {
            sending.add(group.candidates().get(i));
        }
        List<CompletableFuture<Void>> puts = sending.finish();
        group.dropData();
        var unused = CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new))
                .whenComplete((done, error) -> {
                    if (error == null) {
                        group.forwarded().complete(null);
                    } else {
                        group.forwarded().completeExceptionally(error);
                    }
                });
    }

    /** A chunk that may be reduced, and how. */
    private record Reducible(StagedGroup.Candidate whole, ReducedChunk less) {}

    /** The new chunks of one group. */
    private final class Sending {
        private final StagedGroup group;
        private final RegionSealer sealer;
        private final RegionSealer.Effort effort;
        private final ChunkIdentity identities = new ChunkIdentity(key, algorithm);
        private final List<CompletableFuture<Void>> puts = new ArrayList<>();
        private final List<Reducible> reduced = new ArrayList<>();
        private final GrowingRegion region;

        Sending(StagedGroup group, RegionSealer sealer, GrowingRegion region, RegionSealer.Effort effort) {
            this.region = region;
            this.group = group;
            this.sealer = sealer;
            this.effort = effort;
        }

        void add(StagedGroup.Candidate candidate) throws IOException {
            Optional<ReducedChunk> less = candidate.kept().isEmpty()
                    ? Optional.empty()
                    : ReducedChunk.of(
                            candidate.plain().get().bytes(), candidate.offset(), candidate.kept(), identities);
            if (less.isPresent()) {
                reduced.add(new Reducible(candidate, less.get()));
            } else if (!candidate.isOfOthers() || !heal(candidate)) {
                putWhole(candidate);
            }
        }

        private void putWhole(StagedGroup.Candidate candidate) throws IOException {
            put(candidate.ref(), candidate.plain().get());
            if (candidate.isOfOthers()) {
                group.resolve(candidate.ref().fingerprint(), List.of(Pointer.to(candidate.ref())));
            }
        }

        /** Sends the agent what it lost of the chunks whose parts make up this one; whether it has all of them now. */
        private boolean heal(StagedGroup.Candidate candidate) throws IOException {
            Map<ChunkRef, ByteBuffer> whole =
                    Reassembly.of(candidate.plain().get().bytes(), candidate.pointers(), identities);
            Set<Fingerprint> missing = candidate.asked();
            missing.removeAll(known(missing));
            for (Map.Entry<ChunkRef, ByteBuffer> each : whole.entrySet()) {
                if (missing.remove(each.getKey().fingerprint())) {
                    put(each.getKey(), PlainPart.of(each.getValue()));
                }
            }
            return missing.isEmpty();
        }

        private void put(ChunkRef ref, PlainPart plain) throws IOException {
            if (!region.hasRoomFor(ref)) {
                send();
            }
            region.add(ref, plain);
            newChunks.incrementAndGet();
            newBytes.addAndGet(ref.length());
        }

        private void send() throws IOException {
            if (!region.isEmpty()) {
                StoredRegion sealed =
                        cores.share().seal(region.bytes(), () -> sealer.seal(region.chunks(), region.plain(), effort));
                region.clear();
                puts.add(time.awaitingRoom(() -> send(sealed)));
                efforts.compressed(effort, StoredRegion.plainBytes(sealed.chunks()));
                storedBytes.addAndGet(sealed.stored().length());
            }
        }

        private CompletableFuture<Void> send(StoredRegion sealed) throws IOException {
            int bytes = sealed.encodedBytes();
            cores.share().depart(bytes, agent.windowBytes());
            return agent.put(sealed).whenComplete((done, error) -> cores.share().arrived(bytes));
        }

        /**
         * A chunk is reduced only if the agent has all that is kept of it; another image may have brought its
         * remainder, too.
         */
        List<CompletableFuture<Void>> finish() throws IOException {
            Set<Fingerprint> known = reduced.isEmpty() ? Set.of() : known(wanted());
            Set<Fingerprint> sent = new HashSet<>();
            for (Reducible each : reduced) {
                ReducedChunk less = each.less();
                if (!known.containsAll(less.kept())) {
                    putWhole(each.whole());
                    continue;
                }
                if (less.remainder().isPresent()) {
                    ReducedChunk.Remainder rest = less.remainder().get();
                    if (!known.contains(rest.ref().fingerprint())
                            && sent.add(rest.ref().fingerprint())) {
                        put(rest.ref(), PlainPart.of(rest.plain()));
                    }
                }
                group.resolve(each.whole().ref().fingerprint(), less.pointers());
            }
            send();
            return puts;
        }

        /** All chunks that the reduced ones would point to. */
        private Set<Fingerprint> wanted() {
            Set<Fingerprint> wanted = new LinkedHashSet<>();
            for (Reducible each : reduced) {
                wanted.addAll(each.less().kept());
                each.less().remainder().ifPresent(rest -> wanted.add(rest.ref().fingerprint()));
            }
            return wanted;
        }

        /** Which of these the agent has. */
        private Set<Fingerprint> known(Set<Fingerprint> chunks) throws IOException {
            List<Fingerprint> asked = List.copyOf(chunks);
            BitSet found = time.awaitingInput(() -> Answers.await(agent.lookup(asked)));
            Set<Fingerprint> known = new HashSet<>();
            found.stream().forEach(i -> known.add(asked.get(i)));
            return known;
        }
    }

    /** Chunks that the agent didn't have. */
    long newChunks() {
        return newChunks.get();
    }

    /** Their length before compression. */
    long newBytes() {
        return newBytes.get();
    }

    /** Their length as sent: compressed and sealed. */
    long storedBytes() {
        return storedBytes.get();
    }

    /** The length of new chunks before compression, by how hard they were compressed. */
    Map<RegionSealer.Effort, Long> plainBytes() {
        return efforts.plainBytes();
    }
}
