// SPDX-License-Identifier: Apache-2.0
/**
 * Configuration files of both sites: YAML, read once, checked whole with every problem named by its line. {@link
 * io.shredder.backup.config.ConfigReader} reads one, {@link io.shredder.backup.config.ConfigSection} is what its
 * readers ask.
 */
@NullMarked
package io.shredder.backup.config;

import org.jspecify.annotations.NullMarked;
