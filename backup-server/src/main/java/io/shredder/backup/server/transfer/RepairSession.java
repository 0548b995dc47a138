// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.transfer;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.AgentException;
import io.shredder.backup.client.Answers;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.seal.PointerRun;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.SnapshotOpener;
import io.shredder.backup.server.snapshot.SnapshotList;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.text.SnapshotText;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.wire.ErrorCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the chunks that snapshots need and the agent doesn't have whole, and brings them from another agent. An agent
 * says that it doesn't have a chunk once it knows it to be damaged, so whatever was to be found must have been verified
 * before.
 */
public final class RepairSession implements AutoCloseable {

    private final AgentClient agent;
    private final RepositoryKey key;
    private final Optional<ChunkTransfer> transfer;
    private final Optional<PageSource> second;
    private final Map<String, Integer> missingBySnapshot = new LinkedHashMap<>();
    private final Set<ChunkRef> missing = new LinkedHashSet<>();
    private final List<String> problems = new ArrayList<>();
    private int mendedPages;

    /**
     * The connections stay the caller's.
     *
     * @param second has the chunks, if there is such an agent
     */
    public RepairSession(AgentClient agent, Optional<AgentClient> second, RepositoryKey key, Cores cores) {
        this.agent = agent;
        this.key = key;
        this.second = second.map(PageSource::new);
        this.transfer = second.map(from -> new ChunkTransfer(from, agent, key, cores));
    }

    /** Looks through one snapshot, and repairs what can be. A list that can't be read is a problem, not an error. */
    public void repair(SnapshotInfo snapshot) throws IOException {
        SnapshotOpener opener = new SnapshotOpener(key, snapshot);
        try {
            SnapshotList list = SnapshotList.of(agent, snapshot);
            for (int number = 0; number < list.count(); number++) {
                ListPage page = page(snapshot, list, number);
                look(snapshot, page, opener.entries(number, page));
            }
        } catch (AgentException e) {
            if (e.code() != ErrorCode.DAMAGED) {
                throw e;
            }
            problems.add(SnapshotText.name(snapshot) + " has a damaged list: " + e.getMessage());
            return;
        }
        if (transfer.isPresent()) {
            transfer.get().finish();
        }
    }

    /** A page of a shared list that is damaged may be whole at the second agent, in whatever snapshot of the series. */
    private ListPage page(SnapshotInfo snapshot, SnapshotList list, int number) throws IOException {
        try {
            return Answers.await(list.page(number));
        } catch (AgentException e) {
            if (e.code() != ErrorCode.DAMAGED
                    || second.isEmpty()
                    || list.digests().isEmpty()) {
                throw e;
            }
            Optional<ListPage> whole =
                    second.get().find(snapshot.name(), list.digests().get(number));
            if (whole.isEmpty()) {
                throw e;
            }
            agent.mendPage(snapshot.id(), whole.get().at(number));
            mendedPages++;
            return Answers.await(list.page(number));
        }
    }

    private void look(SnapshotInfo snapshot, ListPage page, List<PointerRun> entries) throws IOException {
        BitSet found = Answers.await(agent.lookup(page.references()));
        if (found.cardinality() == page.references().size()) {
            return;
        }
        Set<ChunkRef> distinct = new LinkedHashSet<>();
        entries.forEach(entry -> distinct.add(entry.pointer().chunk()));
        for (ChunkRef chunk : distinct) {
            int place = Collections.binarySearch(page.references(), chunk.fingerprint());
            if (!found.get(place)) {
                missingBySnapshot.merge(SnapshotText.name(snapshot), 1, Integer::sum);
                if (missing.add(chunk) && transfer.isPresent()) {
                    transfer.get().bring(chunk);
                }
            }
        }
    }

    /** Pages of lists that were damaged and are whole again. */
    public int mendedPages() {
        return mendedPages;
    }

    /** Chunks that were damaged or missing. */
    public int missingChunks() {
        return missing.size();
    }

    /** How many of them were brought. */
    public long repairedChunks() {
        return transfer.map(ChunkTransfer::movedChunks).orElse(0L);
    }

    /** Names of the snapshots that need such chunks, and how many. */
    public Map<String, Integer> missingBySnapshot() {
        return missingBySnapshot;
    }

    /** What could not be repaired, a line each. */
    public List<String> problems() {
        List<String> all = new ArrayList<>(problems);
        transfer.ifPresent(done -> all.addAll(done.failures()));
        return all;
    }

    @Override
    public void close() {
        transfer.ifPresent(ChunkTransfer::close);
    }
}
