// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.chunk;

import io.shredder.incoop.memo.CounterValue;
import io.shredder.incoop.memo.Dependency;
import io.shredder.incoop.memo.Reuse;
import java.util.List;

/**
 * What the map of one chunk gave.
 *
 * @param reuse whether it may stand for the same bytes in later jobs
 * @param segments one IFile a partition, sorted and combined
 * @param counters what the map counted
 * @param dependencies what the map has read beside its chunk
 */
public record ChunkOutput(
        Reuse reuse, List<byte[]> segments, List<CounterValue> counters, List<Dependency> dependencies) {}
