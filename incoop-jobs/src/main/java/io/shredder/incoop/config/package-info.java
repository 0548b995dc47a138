// SPDX-License-Identifier: Apache-2.0
/**
 * What a job's configuration says: {@link io.shredder.incoop.config.IncoopKeys} of users and of ours, which classes of
 * the job's ours stand in for ({@link io.shredder.incoop.config.ReplacedClasses}, {@link
 * io.shredder.incoop.config.MapOnly}, {@link io.shredder.incoop.config.ReduceSide}), and what it was before we changed
 * it ({@link io.shredder.incoop.config.Originals}). Knows no other package of ours.
 */
@NullMarked
package io.shredder.incoop.config;

import org.jspecify.annotations.NullMarked;
