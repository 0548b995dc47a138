// SPDX-License-Identifier: Apache-2.0
/**
 * Backups by the number of cores, of images and of clients at once, and over links of several rates. What is measured
 * is kept in one
 * file, so that several calls add up; {@link io.shredder.it.scale.ScaleRun} is the way in.
 */
@NullMarked
package io.shredder.it.scale;

import org.jspecify.annotations.NullMarked;
