// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.config.ReduceSide;
import io.shredder.incoop.contraction.ContractionTree;
import io.shredder.incoop.contraction.TreeMember;
import io.shredder.incoop.identity.ReduceIdentity;
import io.shredder.incoop.memo.CounterValue;
import io.shredder.incoop.memo.MemoCatalog;
import io.shredder.incoop.memo.MemoCatalog.MemoRef;
import io.shredder.incoop.memo.MemoKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.JobContext;

/** Finds out what earlier runs have left for the reduce tasks of a job. Used once, by one thread. */
final class ReducePlanner {

    private final MemoCatalog catalog;
    private final ContractionTree tree;
    private final int partitions;
    private final boolean combines;
    private final Optional<Fingerprint> reduceIdentity;
    private final Map<Fingerprint, MemoRef> nodes = new HashMap<>();
    private final Map<Fingerprint, MemoRef> parts = new HashMap<>();
    private final Set<String> files = new HashSet<>();

    ReducePlanner(JobContext job, MemoCatalog catalog, ContractionTree tree)
            throws IOException, ClassNotFoundException {
        this.catalog = catalog;
        this.tree = tree;
        this.partitions = job.getNumReduceTasks();
        this.combines =
                job.getCombinerClass() != null || new JobConf(job.getConfiguration()).getCombinerClass() != null;
        this.reduceIdentity =
                ReduceSide.isInstalled(job.getConfiguration()) ? Optional.of(ReduceIdentity.of(job)) : Optional.empty();
    }

    /**
     * What they need not do.
     *
     * @param reused the leaves whose maps do not run
     * @param all whether these are all: what others will have read isn't known before they are computed
     */
    ReducePlan plan(List<MemoCatalog.Known> reused, boolean all) {
        for (int partition = 0; partition < partitions; partition++) {
            if (combines) {
                findNodes(partition);
            }
            if (all) {
                findPart(partition);
            }
        }
        return new ReducePlan(combines, reduceIdentity, new KeptRefs(nodes), new KeptRefs(parts), sum(reused));
    }

    /** The memo files with any node or part file of this job, needed or not: later, similar jobs may need them. */
    Set<String> files() {
        return files;
    }

    private void findNodes(int partition) {
        tree.forEachNode(node -> catalog.find(MemoKind.NODES, node.segmentKey(partition))
                .ifPresent(known -> files.add(known.ref().file())));
        tree.root().ifPresent(root -> findTopmost(root, partition));
    }

    private void findTopmost(TreeMember member, int partition) {
        if (!(member instanceof TreeMember.Node node)) {
            return;
        }
        Fingerprint key = node.segmentKey(partition);
        Optional<MemoCatalog.Known> known = catalog.find(MemoKind.NODES, key);
        if (known.isPresent()) {
            nodes.put(key, known.get().ref());
        } else {
            node.members().forEach(below -> findTopmost(below, partition));
        }
    }

    private void findPart(int partition) {
        if (reduceIdentity.isEmpty()) {
            return;
        }
        Optional<Fingerprint> key = tree.partKey(partition, reduceIdentity.get());
        key.flatMap(wanted -> catalog.find(MemoKind.PARTS, wanted)).ifPresent(known -> {
            parts.put(key.get(), known.ref());
            files.add(known.ref().file());
        });
    }

    private static List<CounterValue> sum(List<MemoCatalog.Known> reused) {
        Map<CounterValue, Long> sums = new HashMap<>();
        for (MemoCatalog.Known leaf : reused) {
            for (CounterValue counter : leaf.counters()) {
                sums.merge(new CounterValue(counter.group(), counter.name(), 0), counter.value(), Long::sum);
            }
        }
        List<CounterValue> counters = new ArrayList<>();
        sums.forEach((name, value) -> counters.add(new CounterValue(name.group(), name.name(), value)));
        return counters;
    }
}
