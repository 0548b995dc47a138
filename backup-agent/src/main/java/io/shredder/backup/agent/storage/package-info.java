// SPDX-License-Identifier: Apache-2.0
/**
 * Where files are kept that must outlive the agent's machine: containers, snapshots, and what tells which repository
 * they are. {@link io.shredder.backup.agent.storage.Storage} is what the rest of the agent asks;
 * {@link io.shredder.backup.agent.storage.LocalStorage} is a folder.
 */
@NullMarked
package io.shredder.backup.agent.storage;

import org.jspecify.annotations.NullMarked;
