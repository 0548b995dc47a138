// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

/** What an agent and a keeper on another machine say to each other: {@code io.shredder.backup.wire.keep}. */
public non-sealed interface KeeperMessage extends Message {}
