// SPDX-License-Identifier: Apache-2.0
/**
 * What is kept: {@link io.shredder.backup.agent.store.Repository} is a folder with all its parts,
 * {@link io.shredder.backup.agent.store.ChunkStore} its chunks, which the index finds in containers.
 */
@NullMarked
package io.shredder.backup.agent.store;

import org.jspecify.annotations.NullMarked;
