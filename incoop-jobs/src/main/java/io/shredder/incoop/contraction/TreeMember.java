// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.contraction;

import io.shredder.chunk.Fingerprint;
import java.util.List;

/** A place in a contraction tree. Two members with the same id stand for the same content. */
public sealed interface TreeMember {

    /** A leaf's is its chunk's fingerprint, a node's the digest of its level and its members' ids. */
    Fingerprint id();

    /**
     * A chunk.
     *
     * @param id the chunk's fingerprint
     * @param index the chunk's place in the input, from 0
     */
    record Leaf(Fingerprint id, int index) implements TreeMember {}

    /**
     * Two or more members of lower levels, in the input's order.
     *
     * @param level at least 1; its members are of lower levels
     */
    record Node(Fingerprint id, int level, List<TreeMember> members) implements TreeMember {

        public Node {
            members = List.copyOf(members);
        }

        /** The key under which the node's merge is kept for a reduce partition. */
        public Fingerprint segmentKey(int partition) {
            return TreeIds.segment(id, partition);
        }
    }
}
