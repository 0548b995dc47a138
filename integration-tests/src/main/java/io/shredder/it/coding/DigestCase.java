// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding;

/**
 * Shards whose parity is compared.
 *
 * @param data number of data shards
 * @param parity number of parity shards
 * @param bytes of each shard
 * @param offset where shard 0 lies behind a multiple of 64 bytes
 * @param step how much further behind it each next shard lies
 * @param seed of the data, as {@code native/measure/coding_requests.h} says
 */
public record DigestCase(int data, int parity, int bytes, int offset, int step, int seed) {
    String request(String name) {
        return String.join(" ", "digest", name, "" + data, "" + parity, "" + bytes, "" + offset, "" + step, "" + seed);
    }
}
