// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.collect;

import java.util.List;

/**
 * How far a collection has come.
 *
 * @param done whether that was all
 * @param markedChunks pointers followed so far
 * @param garbageBytes in containers, of chunks that nothing needs; known once all is marked
 * @param freedBytes given back so far: deleted containers less what was copied out of them
 * @param copiedBytes of chunks that live, copied out of containers that went
 * @param deletedContainers so far
 * @param leftContainers that are still to be swept
 * @param problems a line for each container that had to be left as it is, of this step alone
 */
public record CollectionProgress(
        boolean done,
        long markedChunks,
        long garbageBytes,
        long freedBytes,
        long copiedBytes,
        int deletedContainers,
        int leftContainers,
        List<String> problems) {}
