// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerFolder;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.backup.agent.container.ContainerScan;
import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.index.FingerprintIndex;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings index and containers together after a crash. Everything up to the index's covered position was durable before:
 * if it is gone, that is damage. What lies behind it, in one container or in several that grew side by side, was never
 * acknowledged as durable: whole regions are taken up, so that an interrupted backup need not send them again, and of
 * each container the rest is cut off. A region of which some chunks were kept elsewhere takes none over: what else it
 * has of them nobody knows but the client that sent it.
 */
final class TailRecovery {

    private static final Logger LOG = LoggerFactory.getLogger(TailRecovery.class);

    private final ContainerFolder folder;
    private final FingerprintIndex index;

    /** Containers with such regions, and where what is taken up begins. */
    private final Map<Integer, Integer> partly = new TreeMap<>();

    /** Containers that were longer before their ends were settled. */
    private final Set<Integer> shortened = new HashSet<>();

    TailRecovery(ContainerFolder folder, FingerprintIndex index) {
        this.folder = folder;
        this.index = index;
    }

    /** Recovers, and returns where the containers now end. */
    ContainerPosition recover() throws IOException {
        ContainerPosition covered = index.covered();
        SortedMap<Integer, Long> sizes = folder.sizes();
        for (Map.Entry<Integer, Long> each : sizes.tailMap(covered.container()).entrySet()) {
            endWriting(each.getKey(), each.getValue());
        }
        Set<Integer> numbers = sizes.keySet();
        checkCovered(covered, numbers);
        ContainerPosition end = covered;
        for (int container : numbers) {
            if (container >= covered.container()) {
                end = recover(container, container == covered.container() ? covered.offset() : 0, end);
            }
        }
        for (Map.Entry<Integer, Integer> each : partly.entrySet()) {
            new ContainerScan(folder, each.getKey()).scan(each.getValue(), new PartlyKept(index));
        }
        if (!end.equals(covered)) {
            commit(end);
        }
        return end;
    }

    private void endWriting(int container, long before) throws IOException {
        folder.endWriting(container);
        if (folder.size(container) < before) {
            shortened.add(container);
        }
    }

    /** On a full disk everything stays readable; the index's next commit writes what this one couldn't. */
    private void commit(ContainerPosition end) throws IOException {
        try {
            index.commit(end);
        } catch (IOException e) {
            if (!DurableFiles.isFull(e)) {
                throw e;
            }
            LOG.warn("the disk is full ({}): nothing can be added until there is space", e.getMessage());
        }
    }

    private void checkCovered(ContainerPosition covered, Set<Integer> numbers) throws IOException {
        if (covered.container() == 0) {
            return;
        }
        String file = folder.name(covered.container());
        if (!numbers.contains(covered.container())) {
            throw new DamagedDataException(file, 0, "the container is missing");
        }
        long size = folder.size(covered.container());
        if (size < covered.offset()) {
            throw new DamagedDataException(
                    file, size, "ends before " + covered.offset() + ", where the index says it did");
        }
    }

    /** Several may have been appended to at once, so any of them may be torn. */
    private ContainerPosition recover(int container, int from, ContainerPosition before) throws IOException {
        ContainerScan.Visitor taken = new ContainerScan.Visitor() {
            @Override
            public void region(Map<Fingerprint, ChunkLocation> chunks) throws IOException {
                index.putAll(chunks);
            }

            @Override
            public void partly(Map<Fingerprint, ChunkLocation> chunks) {
                partly.put(container, from);
            }
        };
        ContainerScan.Result result = new ContainerScan(folder, container).scan(from, taken);
        if (result.end() == 0) {
            folder.delete(container);
            return before;
        }
        if (result.damage() != null) {
            folder.cut(container, result.end());
        }
        if (result.end() != from) {
            folder.force(container);
        } else if (shortened.contains(container)) {
            dropEnd(container);
        }
        return new ContainerPosition(container, result.end());
    }

    /** Nothing in it is new; what its writer left behind it may not raise doubts later. */
    private void dropEnd(int container) {
        try {
            folder.force(container);
        } catch (IOException e) {
            LOG.warn("{} keeps its end until the next start: {}", folder.name(container), e.getMessage());
        }
    }
}
