// SPDX-License-Identifier: Apache-2.0
/**
 * Cuts files where they lie in HDFS, whoever wrote them, by a MapReduce job, and gives them manifests. START HERE:
 * {@link io.shredder.hdfs.scan.ScanTool} is the command, {@link io.shredder.hdfs.scan.RangeChunker} what a map does
 * with a part of a file, and {@link io.shredder.hdfs.scan.RangeMerge} how the parts become the chunks of the whole.
 * Which task reads what is in {@code plan}; reports, proofs and listings are in {@code report}, {@code verify} and
 * {@code digests}.
 */
@NullMarked
package io.shredder.hdfs.scan;

import org.jspecify.annotations.NullMarked;
