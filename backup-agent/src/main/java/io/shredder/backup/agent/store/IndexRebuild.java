// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerFolder;
import io.shredder.backup.agent.container.ContainerHoles;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.backup.agent.container.ContainerScan;
import io.shredder.backup.agent.container.ContainerWriters;
import io.shredder.backup.agent.index.FingerprintIndex;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the index again from the containers, which hold all that it does. Damaged chunks, and those behind a damaged
 * head, are left out and reported: snapshots that need them can't be restored until a later backup, or a repair, sends
 * them again. If it is interrupted, the agent takes up the rest when it opens the repository, or refuses and asks for
 * it again.
 */
public final class IndexRebuild {

    private static final Logger LOG = LoggerFactory.getLogger(IndexRebuild.class);

    /**
     * What came of it.
     *
     * @param chunks how many are in the new index
     * @param damage a line for each damaged place, but those whose chunks are whole elsewhere
     */
    public record Result(long chunks, List<String> damage) {}

    private final ContainerFolder containers;
    private final RepositoryIndex target;
    /** A line for each damaged record, and the chunks that it says it has. */
    private final Map<String, Set<Fingerprint>> leftOut = new LinkedHashMap<>();

    /** Containers with regions of which some chunks were kept elsewhere: these take none over. */
    private final Set<Integer> partly = new TreeSet<>();

    /** The lock is only asked for so that nobody rebuilds without it. */
    IndexRebuild(ContainerFolder containers, RepositoryIndex target, RepositoryLock held) {
        java.util.Objects.requireNonNull(held);
        this.containers = containers;
        this.target = target;
    }

    Result run() throws IOException {
        if (containers.numbers().isEmpty()) {
            throw new IOException("there is no container in " + containers.storage()
                    + ", so there is nothing to index, and the index stays as it is: is its disk mounted? If nothing was"
                    + " ever backed up, delete the folder 'index'");
        }
        List<String> damage = new ArrayList<>();
        ContainerHoles.open(containers).resume();
        try (FingerprintIndex index = target.createAgain(containers)) {
            List<Integer> numbers = containers.numbers();
            for (int container :
                    numbers.subList(Math.max(0, numbers.size() - ContainerWriters.MOST_OPEN), numbers.size())) {
                containers.endWriting(container);
            }
            ContainerPosition end = ContainerPosition.START;
            for (int i = 0; i < numbers.size(); i++) {
                end = add(numbers.get(i), i + 1 == numbers.size(), index, damage);
                index.commit(end);
            }
            for (int container : partly) {
                new ContainerScan(containers, container).scanAll(new PartlyKept(index));
                index.commit(end);
            }
            target.finished();
            damage.addAll(leftOutOf(index));
            return new Result(index.size(), damage);
        }
    }

    /** A chunk may be damaged in one place and whole in another, to where a backup or a repair has brought it since. */
    private List<String> leftOutOf(FingerprintIndex index) throws IOException {
        List<String> lost = new ArrayList<>();
        for (Map.Entry<String, Set<Fingerprint>> each : leftOut.entrySet()) {
            List<Optional<ChunkLocation>> found = index.findAll(List.copyOf(each.getValue()));
            if (found.stream().anyMatch(Optional::isEmpty)) {
                lost.add(each.getKey());
            }
        }
        return lost;
    }

    private ContainerPosition add(int container, boolean last, FingerprintIndex index, List<String> damage)
            throws IOException {
        ContainerScan.Visitor taken = new ContainerScan.Visitor() {
            @Override
            public void region(Map<Fingerprint, ChunkLocation> chunks) throws IOException {
                index.putAll(chunks);
            }

            @Override
            public void partly(Map<Fingerprint, ChunkLocation> chunks) throws IOException {
                if (partly.isEmpty()) {
                    target.unfinished(); // What follows is committed without them.
                }
                partly.add(container);
            }

            @Override
            public void damaged(Set<Fingerprint> chunks, DamagedDataException problem) {
                leftOut.put(problem.getMessage() + "; it is left out", chunks);
            }
        };
        ContainerScan.Result result = new ContainerScan(containers, container).scanAll(taken);
        if (last && result.isTorn(containers.size(container))) {
            LOG.warn("{}: cut off, since nobody was promised what follows", result.damage());
            containers.cut(container, result.end());
        } else if (result.damage() != null) {
            damage.add(result.damage().getMessage() + "; chunks from there on are left out");
        }
        containers.force(container);
        return new ContainerPosition(container, Math.toIntExact(containers.size(container)));
    }
}
