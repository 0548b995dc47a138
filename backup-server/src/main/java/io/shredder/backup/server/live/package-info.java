// SPDX-License-Identifier: Apache-2.0
/**
 * A restore that is used while it goes on: a file that a machine reads and writes at once, which is filled from a
 * snapshot behind it. START HERE: {@code LiveVolume}; the promise is in {@code LiveMap}.
 */
@NullMarked
package io.shredder.backup.server.live;

import org.jspecify.annotations.NullMarked;
