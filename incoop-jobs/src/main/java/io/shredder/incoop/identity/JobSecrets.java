// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Set;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.token.Token;

/**
 * The secrets that a job brings to its tasks, by alias and digest. Not those that a submission draws or that Hadoop's
 * services issue anew each time: they only open doors.
 */
final class JobSecrets {

    /** Kinds of tokens that HDFS, KMS, YARN and MapReduce issue. */
    private static final Set<String> KINDS_OF_HADOOP = Set.of(
            "HDFS_DELEGATION_TOKEN",
            "WEBHDFS delegation",
            "SWEBHDFS delegation",
            "HDFS_BLOCK_TOKEN",
            "kms-dt",
            "RM_DELEGATION_TOKEN",
            "MR_DELEGATION_TOKEN",
            "TIMELINE_DELEGATION_TOKEN",
            "YARN_AM_RM_TOKEN",
            "YARN_CLIENT_TOKEN",
            "ContainerToken",
            "NMToken",
            "MAPREDUCE_DELEGATION_TOKEN",
            "mapreduce.job");

    /** Aliases of the keys for the shuffle and for encrypted spills, which TokenCache keeps to itself. */
    private static final Set<String> DRAWN_BY_SUBMISSION =
            Set.of("MapReduceShuffleToken", "MapReduceEncryptedSpillKey");

    private JobSecrets() {}

    static void addTo(IdentityParts parts, Credentials credentials) {
        for (Text alias : credentials.getAllSecretKeys()) {
            byte[] secret = credentials.getSecretKey(alias);
            if (secret != null && !DRAWN_BY_SUBMISSION.contains(alias.toString())) {
                parts.put("secret." + alias, "secret " + digest(secret));
            }
        }
        credentials.getTokenMap().forEach((alias, token) -> {
            if (!KINDS_OF_HADOOP.contains(token.getKind().toString())) {
                parts.put("token." + token.getKind() + "." + alias, "secret " + digest(token));
            }
        });
    }

    private static Fingerprint digest(Token<?> token) {
        return digest(
                token.getIdentifier(),
                token.getPassword(),
                token.getService().toString().getBytes(StandardCharsets.UTF_8));
    }

    private static Fingerprint digest(byte[]... secrets) {
        MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
        for (byte[] secret : secrets) {
            digest.update((secret.length + "\0").getBytes(StandardCharsets.UTF_8));
            digest.update(secret);
        }
        return Fingerprint.of(digest.digest());
    }
}
