// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.storage;

/**
 * A file of a {@link Storage}.
 *
 * @param name as in {@link Storage}
 * @param bytes its length; of one that is being appended to, at least what was forced
 */
public record StoredFile(String name, long bytes) {}
