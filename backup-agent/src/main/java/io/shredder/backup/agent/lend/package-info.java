// SPDX-License-Identifier: Apache-2.0
/**
 * Ways over mutual TLS to a worker, which itself listens at a Unix socket alone: {@link LendDaemon} stands before the
 * worker, {@link BorrowDaemon} beside the engine that uses it. They look at no frame but the first refusal.
 */
@NullMarked
package io.shredder.backup.agent.lend;

import org.jspecify.annotations.NullMarked;
