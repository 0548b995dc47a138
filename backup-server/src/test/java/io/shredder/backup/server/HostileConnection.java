// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.Samples;
import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.AgentException;
import io.shredder.backup.client.Answers;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.server.trust.AgentSeries;
import io.shredder.backup.snapshot.ContentDigest;
import io.shredder.backup.snapshot.KeyId;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.backup.trial.Tally;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.backup.wire.UpkeepRequest;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * One connection, or some, of a client that has {@code append} alone and means harm. Whatever it does, only refusals
 * may come of it. One thread.
 */
final class HostileConnection {

    private static final int MOST_FLOODED = 20;
    private static final int MOST_PREPARED = 60;
    private static final int CROWD = 8;
    private static final long[] ODD_LENGTHS = {
        0, 1, Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MAX_VALUE / 2 + 1, 1L << 40, Integer.MAX_VALUE
    };

    private final HostileSite site;
    private final Random random;
    private final Tally tally;
    private final TlsFiles identity;
    private final SnapshotName name;

    HostileConnection(HostileSite site, Random random, Tally tally) {
        this(
                site,
                random,
                tally,
                random.nextInt(3) == 0 ? site.mallory() : site.thief(),
                new SnapshotName(random.nextBoolean() ? "vm" : random.nextBoolean() ? "db" : "x" + random.nextInt(9)));
    }

    private HostileConnection(HostileSite site, Random random, Tally tally, TlsFiles identity, SnapshotName name) {
        this.site = site;
        this.random = random;
        this.tally = tally;
        this.identity = identity;
        this.name = name;
    }

    /** Attacks once. */
    void run() throws IOException {
        int dice = random.nextInt(10);
        if (dice == 0) {
            new FuzzedConnection(site.first(), AgentProcess.sockets(identity), random, new Tally()).run();
            tally.count("malformed frames");
        } else if (dice == 1) {
            crowd();
        } else {
            try (AgentClient agent = site.first().connect(identity)) {
                attack(dice, agent);
            } catch (AgentException e) {
                refused(e);
            }
        }
    }

    /** What an agent may say to such a client. */
    private void refused(AgentException refusal) {
        if (refusal.code() == ErrorCode.INTERNAL
                || refusal.code() == ErrorCode.STORAGE_FAILED
                || refusal.code() == ErrorCode.DAMAGED) {
            throw new AssertionError("the agent does not refuse but fails: " + refusal, refusal);
        }
        tally.count("refused: " + refusal.code());
    }

    private void attack(int dice, AgentClient agent) throws IOException {
        switch (dice) {
            case 2, 3 -> flood(agent);
            case 4 -> replay(agent);
            case 5 -> oddNumbers(agent);
            case 6 -> othersChunks(agent);
            case 7 -> withoutRight(agent);
            case 8 -> prepareOften(agent);
            default -> abandon(agent);
        }
    }

    /** Commits tiny snapshots to a series until it is told to end. */
    static void flood(HostileSite site, SnapshotName series, Random random, BooleanSupplier ends) throws IOException {
        HostileConnection thief = new HostileConnection(site, random, new Tally(), site.thief(), series);
        try (AgentClient agent = site.first().connect(site.thief())) {
            while (!ends.getAsBoolean()) {
                try {
                    thief.flood(agent);
                } catch (AgentException e) {
                    thief.refused(e); // Another was faster.
                }
            }
        }
    }

    /** Tiny snapshots under a foreign key, or that name the genuine key, one after another. */
    private void flood(AgentClient agent) throws IOException {
        for (int i = 1 + random.nextInt(MOST_FLOODED); i > 0; i--) {
            commit(agent, seal(), List.of(put(agent)), 1 << 20, 1, summary(random.nextInt(300)));
        }
        tally.count("flood of snapshots");
    }

    private SnapshotSeal seal() {
        KeyId key = random.nextBoolean() ? site.key().id() : new KeyId(random.nextLong(), random.nextLong());
        return new SnapshotSeal(key, new UUID(random.nextLong(), random.nextLong()));
    }

    private SealedBytes summary(int length) {
        byte[] bytes = Samples.randomBytes(random, length);
        if (length > 0 && random.nextBoolean()) {
            bytes[0] = 3; // As the genuine ones begin.
        }
        return new SealedBytes(bytes);
    }

    private ListPage put(AgentClient agent) throws IOException {
        StoredRegion region = Samples.sealed(Samples.randomBytes(random, 1 + random.nextInt(2000)));
        Answers.await(agent.put(region));
        return Samples.pageOf(0, List.of(region));
    }

    private void commit(
            AgentClient agent,
            SnapshotSeal seal,
            List<ListPage> pages,
            long imageBytes,
            long chunkCount,
            SealedBytes summary)
            throws IOException {
        agent.begin(name, seal, Request.Begin.UNKNOWN_LENGTH);
        ContentDigest digest = new ContentDigest(seal);
        for (ListPage page : pages) {
            Answers.await(agent.lookup(page.references()));
            Answers.await(agent.append(page));
            digest.add(page);
        }
        if (random.nextBoolean()) {
            agent.prepare(random.nextInt(1000));
        }
        agent.commit(imageBytes, chunkCount, digest.finish(), summary);
    }

    /** A genuine snapshot, once more: under a new id, as the newest of its series. */
    private void replay(AgentClient agent) throws IOException {
        List<SnapshotInfo> listed = AgentSeries.listAll(agent).snapshots();
        if (listed.isEmpty()) {
            return;
        }
        SnapshotInfo genuine = listed.get(random.nextInt(listed.size()));
        List<ListPage> pages = new ArrayList<>();
        for (int page = 0; page < ListPage.pages(genuine.chunkCount()); page++) {
            pages.add(Answers.await(agent.show(genuine.id(), page)));
        }
        commit(agent, genuine.seal(), pages, genuine.imageBytes(), genuine.chunkCount(), genuine.summary());
        tally.count("replayed snapshot");
    }

    /** Lengths, counts and summaries of any size, pages with any references. */
    private void oddNumbers(AgentClient agent) throws IOException {
        List<ListPage> pages = new ArrayList<>();
        for (int page = random.nextInt(3); page > 0; page--) {
            pages.add(put(agent));
        }
        for (int i = 0; i < pages.size(); i++) {
            ListPage page = pages.get(i);
            pages.set(
                    i,
                    new ListPage(
                            i,
                            page.references(),
                            new SealedBytes(Samples.randomBytes(random, 1 + random.nextInt(3000)))));
        }
        long count =
                switch (random.nextInt(4)) {
                    case 0 -> (long) pages.size() * ListPage.MAX_POINTERS;
                    case 1 -> Long.MAX_VALUE - random.nextInt(3);
                    default -> Math.max(0, (pages.size() - 1L) * ListPage.MAX_POINTERS + 1);
                };
        commit(
                agent,
                seal(),
                pages,
                ODD_LENGTHS[random.nextInt(ODD_LENGTHS.length)],
                count,
                summary(random.nextInt(SnapshotInfo.MAX_SUMMARY_BYTES + 1)));
        tally.count("odd numbers");
    }

    /** Other bytes under identities that genuine snapshots have. */
    private void othersChunks(AgentClient agent) throws IOException {
        List<SnapshotInfo> listed = AgentSeries.listAll(agent).snapshots();
        List<Fingerprint> seen = new ArrayList<>();
        for (int i = 0; i < 5 && !listed.isEmpty(); i++) {
            SnapshotInfo any = listed.get(random.nextInt(listed.size()));
            if (any.chunkCount() > 0) {
                seen.addAll(Answers.await(agent.show(any.id(), 0)).references());
            }
        }
        for (Fingerprint identity : seen) {
            StoredRegion own = Samples.sealed(Samples.randomBytes(random, 1 + random.nextInt(500)));
            List<ChunkRef> claimed = List.of(new ChunkRef(own.first().length(), identity));
            Answers.await(agent.put(new StoredRegion(claimed, own.codec(), own.storedDigest(), own.stored())));
        }
        tally.count("other bytes under known identities");
    }

    private void withoutRight(AgentClient agent) throws IOException {
        switch (random.nextInt(4)) {
            case 0 -> agent.delete(List.of(1L + random.nextInt(1000)));
            case 1 -> agent.collect(new UpkeepRequest.Collect(true, random.nextBoolean(), 0));
            case 2 -> agent.verify(0, 0);
            default -> Answers.await(agent.fetch(new ChunkRef(1, Fingerprint.ofData(ByteBuffer.allocate(1)))));
        }
        throw new AssertionError("a client without the right was let");
    }

    /** So that others' commits come to nothing. */
    private void prepareOften(AgentClient agent) throws IOException {
        SnapshotSeal seal = seal();
        ListPage page = put(agent);
        agent.begin(name, seal, Request.Begin.UNKNOWN_LENGTH);
        for (int i = random.nextInt(MOST_PREPARED); i > 0; i--) {
            agent.prepare(random.nextInt(100_000));
        }
        Answers.await(agent.append(page));
        tally.count("many reserved ids");
    }

    /** Leaves in the middle of a snapshot. */
    private void abandon(AgentClient agent) throws IOException {
        agent.begin(name, seal(), Request.Begin.UNKNOWN_LENGTH);
        for (int i = random.nextInt(5); i > 0; i--) {
            put(agent);
        }
        tally.count("abandoned snapshot");
    }

    /** Connections that do nothing, or begin with half a handshake. */
    private void crowd() throws IOException {
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < CROWD; i++) {
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(), site.first().port());
                sockets.add(socket);
                if (random.nextBoolean()) {
                    socket.getOutputStream().write(new byte[] {22, 3, 1, 0, (byte) random.nextInt(100)});
                }
            }
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
        tally.count("crowd of strangers");
    }
}
