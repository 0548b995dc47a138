// SPDX-License-Identifier: Apache-2.0
/**
 * The parts of a snapshot that an agent keeps: its name, the pages of its list, the pointers in them, the ends of its
 * regions.
 */
@NullMarked
package io.shredder.backup.server.snapshot;

import org.jspecify.annotations.NullMarked;
