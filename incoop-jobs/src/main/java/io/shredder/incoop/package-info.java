// SPDX-License-Identifier: Apache-2.0
/**
 * Incremental MapReduce: maps of unchanged chunks do not run, their memoised output is merged along a
 * contraction tree. {@link io.shredder.incoop.IncrementalJob} shows what a job becomes; {@link
 * io.shredder.incoop.IncoopProtocolProvider} is how Hadoop finds it. Package {@code config} is what a job's
 * configuration says, and {@code input} what the job reads. {@code plan} decides at submission what to compute, and
 * {@code task} runs in map and reduce tasks. {@code memo} keeps results, and {@code identity} says when results of two
 * jobs are the same thing. After Incoop (SoCC 2011) and Shredder (FAST 2012, section 6).
 */
@NullMarked
package io.shredder.incoop;

import org.jspecify.annotations.NullMarked;
