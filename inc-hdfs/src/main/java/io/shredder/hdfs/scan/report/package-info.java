// SPDX-License-Identifier: Apache-2.0
/**
 * What files share: {@link io.shredder.hdfs.scan.report.SharingJob} brings equal chunks together,
 * {@link io.shredder.hdfs.scan.report.SharingReport} says what that would save.
 */
@NullMarked
package io.shredder.hdfs.scan.report;

import org.jspecify.annotations.NullMarked;
