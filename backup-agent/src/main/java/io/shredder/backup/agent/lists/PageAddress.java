// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lists;

/**
 * Where a page of shared lists is.
 *
 * @param pack its pack's id: that of the snapshot that brought it
 * @param index in the pack, from 0
 */
public record PageAddress(long pack, int index) {}
