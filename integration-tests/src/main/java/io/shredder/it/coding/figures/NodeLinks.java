// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding.figures;

/**
 * The network of a model: one client, and nodes with a link each to the switch between them.
 *
 * @param nodes how many
 * @param nodeRate of each node's link, in bytes a second, each way
 * @param clientRate of the client's
 * @param latency from the client to a node or back, in seconds
 * @param windowBytes how much the client has under way at once
 */
record NodeLinks(int nodes, double nodeRate, double clientRate, double latency, long windowBytes) {
    /** The same with another number of nodes. */
    NodeLinks with(int count) {
        return new NodeLinks(count, nodeRate, clientRate, latency, windowBytes);
    }
}
