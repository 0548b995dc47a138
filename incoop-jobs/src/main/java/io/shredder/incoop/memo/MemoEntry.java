// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;

/**
 * One result in a memo file.
 *
 * @param key what the memo store knows it by: {@code docs/formats/memo.md}
 * @param reuse whether later jobs may use it
 * @param segments of leaves, one a reduce partition, in order; else one
 * @param counters what its computation added to the job's counters; zeros are left out
 * @param dependencies what it was made of beside the input; later jobs may use it while these stand as they did
 */
public record MemoEntry(
        Fingerprint key,
        Reuse reuse,
        List<SegmentRef> segments,
        List<CounterValue> counters,
        List<Dependency> dependencies) {

    private static final byte[] DOMAIN = "shredder depends".getBytes(StandardCharsets.US_ASCII);

    public MemoEntry {
        segments = List.copyOf(segments);
        counters = List.copyOf(counters);
        dependencies = List.copyOf(dependencies);
    }

    /** What a leaf is known by in the contraction tree: {@code docs/formats/memo.md}, "Contraction". */
    public Fingerprint leafId() {
        return leafId(key, dependencies);
    }

    /** The same of a leaf that is in no memo file. */
    public static Fingerprint leafId(Fingerprint key, List<Dependency> dependencies) {
        // Which classes were loaded says nothing of what they have made.
        List<Dependency> counting = dependencies.stream()
                .filter(one -> one.kind() != Dependency.Kind.STATICS)
                .toList();
        if (counting.isEmpty()) {
            return key;
        }
        MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
        digest.update(DOMAIN);
        digest.update(key.toBytes());
        digest.update(MemoFormat.dependencies(counting));
        return Fingerprint.of(digest.digest());
    }
}
