// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.region.ChunkCodec;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.RegionFormat;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.seal.ChunkIdentity;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.snapshot.ContentDigest;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * How a client writes a file to a store: a {@link BlockFeed} reads, cuts and digests, the agent is asked which blocks
 * it lacks, those are sent, and a list of all is committed, which makes the file durable. The paper's write path
 * (section 2) over the backup's protocol, with its keyed identities; blocks travel plain where a backup compresses and
 * seals them, since the paper's store does neither.
 *
 * <p>Each path has a key of its own, so to the agent nothing that others wrote is the same. For one thread.
 */
final class WritePath {
    private static final SnapshotName SERIES = new SnapshotName("file");
    /** As a sealed pointer and the seal of a page are long. */
    private static final int POINTER_BYTES = 6;

    private static final int PAGE_SEAL_BYTES = 16;
    private static final int SUMMARY_BYTES = 40;

    private final AgentClient agent;
    private final BlockFeed feed;
    private final boolean addressed;
    private final RepositoryKey key = RepositoryKey.generate(new SecureRandom());
    private final ChunkIdentity identities;
    private final SplittableRandom names = new SplittableRandom();
    private final byte[] stored = new byte[RegionFormat.MAX_CHUNK_BYTES + RegionFormat.SEAL_BYTES];
    private final MessageDigest sent = DigestAlgorithm.SHA_256.newMessageDigest();

    private long blocks;
    private long bytes;
    private long sentBlocks;
    private long sentBytes;

    /**
     * What has been written so far.
     *
     * @param sentBytes of blocks that were sent
     * @param sent what these were, in order: the SHA-256 of their digests and lengths; of no use where nobody digests
     */
    record Written(long blocks, long bytes, long sentBlocks, long sentBytes, String sent) {}

    /**
     * A path on which nothing has been written.
     *
     * @param agent stays the caller's, as does the feed
     * @param addressed whether blocks are named by their digests, which the feed then gives
     */
    WritePath(AgentClient agent, BlockFeed feed, boolean addressed, DigestAlgorithm digest) {
        this.agent = agent;
        this.feed = feed;
        this.addressed = addressed;
        this.identities = new ChunkIdentity(key, digest);
    }

    /** Writes a file; it is durable when this returns. */
    void write(Path file) throws IOException {
        long length = Files.size(file);
        var seal = new SnapshotSeal(key.id(), UUID.randomUUID());
        agent.begin(SERIES, seal, length);
        var list = new NewVersion(seal);
        feed.feed(file, list::take);
        list.commit(length);
    }

    /** So far. */
    Written written() {
        try {
            String digest = HexFormat.of().formatHex(((MessageDigest) sent.clone()).digest());
            return new Written(blocks, bytes, sentBlocks, sentBytes, digest);
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("Java's SHA-256 can be cloned", e);
        }
    }

    /** The list of a file that is being written. */
    private final class NewVersion {
        private final ContentDigest digest;
        private final List<CompletableFuture<Void>> underWay = new ArrayList<>();
        private final TreeSet<Fingerprint> references = new TreeSet<>();
        private int pages;
        private long count;

        NewVersion(SnapshotSeal seal) {
            this.digest = new ContentDigest(seal);
        }

        /** Blocks of one part: asked for with one request. */
        void take(Blocks part) throws IOException {
            List<Fingerprint> named = names(part);
            BitSet there = addressed ? Answers.await(agent.lookup(named)) : new BitSet();
            int at = 0;
            for (int i = 0; i < named.size(); i++) {
                int length = part.lengths().get(i);
                blocks++;
                bytes += length;
                count++;
                // A block that repeats within a part is sent once: the references have it by then.
                if (references.add(named.get(i)) && !there.get(i)) {
                    send(part, i, at, named.get(i));
                }
                at += length;
                if (references.size() == ListPage.MAX_POINTERS) {
                    append();
                }
            }
        }

        private List<Fingerprint> names(Blocks part) {
            if (addressed) {
                return part.digests().stream().map(identities::of).toList();
            }
            List<Fingerprint> random = new ArrayList<>();
            for (int i = 0; i < part.lengths().size(); i++) {
                byte[] name = new byte[Fingerprint.BYTES];
                names.nextBytes(name);
                random.add(Fingerprint.of(name));
            }
            return random;
        }

        /** The agent's client has taken the bytes when this returns, and holds it back while much is under way. */
        private void send(Blocks part, int number, int at, Fingerprint name) {
            int length = part.lengths().get(number);
            part.data().get(at, stored, 0, length);
            var payload = new StoredRegion.Payload(stored, 0, length + RegionFormat.SEAL_BYTES);
            var chunk = new ChunkRef(length, name);
            underWay.add(agent.put(new StoredRegion(chunk, ChunkCodec.SEALED, StoredRegion.UNDIGESTED, payload)));
            sentBlocks++;
            sentBytes += length;
            if (addressed) {
                sent.update(part.digests().get(number).toBytes());
                sent.update(ByteBuffer.allocate(Integer.BYTES).putInt(length).flip());
            }
        }

        private void append() throws IOException {
            for (CompletableFuture<Void> put : underWay) {
                Answers.await(put);
            }
            underWay.clear();
            byte[] pointers = new byte[references.size() * POINTER_BYTES + PAGE_SEAL_BYTES];
            var page = new ListPage(pages++, List.copyOf(references), new SealedBytes(pointers));
            Answers.await(agent.append(page));
            digest.add(page);
            references.clear();
        }

        void commit(long length) throws IOException {
            if (!references.isEmpty()) {
                append();
            }
            agent.commit(length, count, digest.finish(), new SealedBytes(new byte[SUMMARY_BYTES]));
        }
    }
}
