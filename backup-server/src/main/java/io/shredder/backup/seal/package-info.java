// SPDX-License-Identifier: Apache-2.0
/**
 * What makes an agent keep what it can't read: {@code docs/formats/seal.md} and {@code docs/formats/key.md}. {@link
 * io.shredder.backup.seal.RepositoryKey} gives chunks their identities and seals them ({@link
 * io.shredder.backup.seal.RegionSealer}) and snapshots' lists ({@link io.shredder.backup.seal.SnapshotSealer}); {@link
 * io.shredder.backup.seal.keyfile.KeyFile} keeps the key itself, wrapped.
 *
 * <p>Lives at the source site alone: the agent's module can't reach it.
 */
@NullMarked
package io.shredder.backup.seal;

import org.jspecify.annotations.NullMarked;
