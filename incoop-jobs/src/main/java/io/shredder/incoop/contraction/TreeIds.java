// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.contraction;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;

/** The digests and the boundary rule of {@code docs/formats/memo.md}, "Contraction". */
final class TreeIds {

    private static final long LEVEL_STEP = 0x9E37_79B9_7F4A_7C15L;
    private static final int BOUNDARY_DISTANCE = 8;

    private TreeIds() {}

    static Fingerprint node(int level, List<TreeMember> members) {
        MessageDigest digest = begin("shredder node");
        addInt(digest, level);
        members.forEach(member -> digest.update(member.id().toBytes()));
        return Fingerprint.of(digest.digest());
    }

    static Fingerprint segment(Fingerprint node, int partition) {
        MessageDigest digest = begin("shredder segment");
        digest.update(node.toBytes());
        addInt(digest, partition);
        return Fingerprint.of(digest.digest());
    }

    static Fingerprint part(Fingerprint root, int partition, Fingerprint reduceIdentity) {
        MessageDigest digest = begin("shredder part");
        digest.update(root.toBytes());
        addInt(digest, partition);
        digest.update(reduceIdentity.toBytes());
        return Fingerprint.of(digest.digest());
    }

    /** Whether a group of members of {@code level} ends behind this one. */
    static boolean isBoundary(Fingerprint id, int level) {
        long first = ByteBuffer.wrap(id.toBytes()).getLong();
        return Long.remainderUnsigned(mix(first + level * LEVEL_STEP), BOUNDARY_DISTANCE) == 0;
    }

    /** SplitMix64's finaliser. */
    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return z ^ (z >>> 31);
    }

    private static MessageDigest begin(String domain) {
        MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
        digest.update(domain.getBytes(StandardCharsets.US_ASCII));
        return digest;
    }

    private static void addInt(MessageDigest digest, int value) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(value).array());
    }
}
