// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.trust;

import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.region.ChunkCodec;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.RegionFormat;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.snapshot.ContentDigest;
import io.shredder.backup.snapshot.KeyId;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Backs images of random regions up and reads them again, as fast as one connection can, without cutting or sealing
 * anything: it is the agent that is tried. One thread.
 */
final class HonestClient {
    private static final SnapshotName SERIES = new SnapshotName("vm");

    private final AgentClient agent;
    private final Random random;
    private final int regionBytes;

    HonestClient(AgentClient agent, Random random, int regionBytes) {
        this.agent = agent;
        this.random = random;
        this.regionBytes = regionBytes;
    }

    /** A chunk by itself in a region that nobody has. */
    StoredRegion newRegion() {
        byte[] plain = new byte[regionBytes];
        random.nextBytes(plain);
        byte[] stored = new byte[regionBytes + RegionFormat.SEAL_BYTES];
        System.arraycopy(plain, 0, stored, 0, plain.length);
        ChunkRef chunk = new ChunkRef(regionBytes, Fingerprint.ofData(ByteBuffer.wrap(plain)));
        Fingerprint digest = Fingerprint.ofData(ByteBuffer.wrap(stored));
        return new StoredRegion(List.of(chunk), ChunkCodec.SEALED, digest, new StoredRegion.Payload(stored));
    }

    void put(StoredRegion region) throws IOException {
        Answers.await(agent.put(region));
    }

    /**
     * One backup.
     *
     * @param regions how many
     * @return what was sent, to be read again by {@link #checkIsThere}
     */
    List<StoredRegion> backUp(int regions) throws IOException {
        SnapshotSeal seal = new SnapshotSeal(new KeyId(1, 2), new UUID(random.nextLong(), random.nextLong()));
        long imageBytes = (long) regions * regionBytes;
        agent.begin(SERIES, seal, imageBytes);
        List<StoredRegion> sent = new ArrayList<>();
        var references = new TreeSet<Fingerprint>();
        for (int i = 0; i < regions; i++) {
            StoredRegion region = newRegion();
            put(region);
            sent.add(region);
            references.addAll(region.fingerprints());
        }
        var page = new ListPage(0, List.copyOf(references), new SealedBytes(new byte[references.size() * 6 + 16]));
        Answers.await(agent.append(page));
        ContentDigest digest = new ContentDigest(seal);
        digest.add(page);
        SnapshotInfo committed = agent.commit(imageBytes, regions, digest.finish(), new SealedBytes(new byte[40]));
        ListPage shown = Answers.await(agent.show(committed.id(), 0));
        if (!shown.references().equals(page.references())) {
            throw new IOException("snapshot " + committed.id() + " has another list than was committed");
        }
        return sent;
    }

    /** Fails unless the agent gives back what was sent, to the byte. */
    void checkIsThere(List<StoredRegion> sent) throws IOException {
        for (StoredRegion region : sent) {
            StoredRegion fetched = Answers.await(agent.fetch(region.first()));
            if (!fetched.stored().view().equals(region.stored().view())) {
                throw new IOException("chunk " + region.first().fingerprint() + " has other bytes than were put");
            }
        }
    }
}
