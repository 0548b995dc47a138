// SPDX-License-Identifier: Apache-2.0
/**
 * Gives back the space of chunks that no snapshot needs, beside running backups: {@code docs/COLLECTION.md}. START
 * HERE: {@link io.shredder.backup.agent.collect.GarbageCollection} marks and sweeps;
 * {@link io.shredder.backup.agent.collect.CollectionGate} is where it meets the sessions of clients.
 */
@NullMarked
package io.shredder.backup.agent.collect;

import org.jspecify.annotations.NullMarked;
