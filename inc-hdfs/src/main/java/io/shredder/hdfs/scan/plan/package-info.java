// SPDX-License-Identifier: Apache-2.0
/**
 * Which files a scan reads, which task reads what of them, and what tasks and the command say to each other. It knows
 * nothing of what is done with the bytes. {@link io.shredder.hdfs.scan.plan.ScanPlan} is where to begin.
 */
@NullMarked
package io.shredder.hdfs.scan.plan;

import org.jspecify.annotations.NullMarked;
