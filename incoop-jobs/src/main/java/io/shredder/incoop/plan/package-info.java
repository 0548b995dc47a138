// SPDX-License-Identifier: Apache-2.0
/**
 * What a job has to compute. Begin with {@link io.shredder.incoop.plan.JobPlanner}, which turns input files into chunks
 * by their manifests, chunks into reused or to be computed, and the latter into groups, each a map task.
 */
@NullMarked
package io.shredder.incoop.plan;

import org.jspecify.annotations.NullMarked;
