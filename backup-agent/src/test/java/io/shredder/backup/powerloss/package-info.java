// SPDX-License-Identifier: Apache-2.0
/**
 * A disk whose power fails. {@link io.shredder.backup.powerloss.RecordedFiles} passes everything on to real files and
 * writes down what changes them; {@link io.shredder.backup.powerloss.DiskImage} says what of that a disk may hold after
 * any of these changes was the last.
 */
package io.shredder.backup.powerloss;
