// SPDX-License-Identifier: Apache-2.0
/**
 * Serves bytes as a block device by the NBD project's {@code doc/proto.md}: negotiation with or without TLS, simple and
 * structured replies, {@code base:allocation}, several connections of one client. A snapshot can't be written; what a
 * client writes goes to a {@code WritableVolume} alone.
 */
@NullMarked
package io.shredder.backup.server.nbd;

import org.jspecify.annotations.NullMarked;
