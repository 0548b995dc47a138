// SPDX-License-Identifier: Apache-2.0
/**
 * The daemon's configuration: one YAML file, read once, checked whole with every problem named by its line, then
 * immutable. {@link io.shredder.backup.server.config.ServerConfigReader} says what may stand in it.
 */
@NullMarked
package io.shredder.backup.server.config;

import org.jspecify.annotations.NullMarked;
