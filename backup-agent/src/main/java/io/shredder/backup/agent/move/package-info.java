// SPDX-License-Identifier: Apache-2.0
/**
 * Moves a repository from one store to another while it is in use: {@code docs/formats/moving.md}. START HERE:
 * {@link io.shredder.backup.agent.move.StoreMove} begins or goes on,
 * {@link io.shredder.backup.agent.move.MovingStorage} is both stores as one, and
 * {@link io.shredder.backup.agent.move.BackgroundMove} takes file after file over.
 */
@NullMarked
package io.shredder.backup.agent.move;

import org.jspecify.annotations.NullMarked;
