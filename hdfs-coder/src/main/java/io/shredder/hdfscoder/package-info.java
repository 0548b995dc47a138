// SPDX-License-Identifier: Apache-2.0
/**
 * Raw erasure coders for HDFS that compute in the engine: {@code rs_shredder}, {@code rs-legacy_shredder} and {@code
 * xor_shredder}. Hadoop finds the factories by ServiceLoader; the way from there is {@link
 * io.shredder.hdfscoder.CoderCreation}, {@link io.shredder.hdfscoder.EngineCoders}, then {@link
 * io.shredder.hdfscoder.CoderCalls} for each call.
 */
@NullMarked
package io.shredder.hdfscoder;

import org.jspecify.annotations.NullMarked;
