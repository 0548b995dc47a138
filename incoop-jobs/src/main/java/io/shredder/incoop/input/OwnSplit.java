// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.input;

import java.util.Optional;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/**
 * A split as the job's own input format gives it.
 *
 * @param split of either API, to be handed out if it is mapped plainly
 * @param tag which input format and mapper it belongs to
 * @param part the same as a plain part of a file; empty if it is something else
 */
public record OwnSplit(Object split, InputTag tag, Optional<FileSplit> part) {

    /** Its file, or what else it is, for reports. */
    String input() {
        return part.map(found -> found.getPath().toString())
                .orElse("a split of the kind " + split.getClass().getName());
    }
}
