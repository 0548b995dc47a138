// SPDX-License-Identifier: Apache-2.0
/**
 * Proves files against their manifests or a listing of digests, by a MapReduce job that writes nothing beside them.
 * {@link io.shredder.hdfs.scan.verify.ProofMapper} reads, {@link io.shredder.hdfs.scan.verify.FileProof} brings the
 * parts of a file together, {@link io.shredder.hdfs.scan.verify.ListingProof} finds what is missing.
 */
@NullMarked
package io.shredder.hdfs.scan.verify;

import org.jspecify.annotations.NullMarked;
