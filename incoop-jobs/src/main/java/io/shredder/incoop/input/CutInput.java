// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.input;

import java.util.List;

/**
 * A job's input, cut into chunks as far as that goes.
 *
 * @param chunks of the files that have usable manifests, in order
 * @param files how many files, or other inputs, there are
 * @param plain the others, whose splits are mapped as in a plain run
 */
public record CutInput(List<InputChunk> chunks, int files, List<PlainInput> plain) {

    private static final int MOST_REASONS = 3;

    /**
     * A file that can't be read in chunks.
     *
     * @param reason which names it
     * @param splits of the job's own
     */
    record PlainInput(String reason, List<OwnSplit> splits) {

        PlainInput {
            splits = List.copyOf(splits);
        }
    }

    public CutInput {
        chunks = List.copyOf(chunks);
        plain = List.copyOf(plain);
    }

    /** The splits that are mapped as in a plain run. */
    public List<Object> plainSplits() {
        return plain.stream()
                .flatMap(input -> input.splits().stream())
                .map(OwnSplit::split)
                .toList();
    }

    /** Bytes in these, as far as they are parts of files. */
    public long plainBytes() {
        return plain.stream()
                .flatMap(input -> input.splits().stream())
                .flatMap(split -> split.part().stream())
                .mapToLong(part -> part.getLength())
                .sum();
    }

    /** One line for the log. */
    public String report() {
        String reasons = String.join(
                "; ",
                plain.stream()
                        .map(PlainInput::reason)
                        .distinct()
                        .limit(MOST_REASONS)
                        .toList());
        return plain.size() + " of " + files + " files are mapped plainly: " + reasons
                + (plain.size() > MOST_REASONS ? "; and so on" : "");
    }
}
