// SPDX-License-Identifier: Apache-2.0
/**
 * Serves a snapshot as a block device that nobody can write, by the NBD project's {@code doc/proto.md}: negotiation
 * with or without TLS, simple and structured replies, {@code base:allocation}, several connections of one client.
 */
@NullMarked
package io.shredder.backup.server.nbd;

import org.jspecify.annotations.NullMarked;
