// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import io.shredder.incoop.input.Input;
import io.shredder.incoop.input.InputChunk;
import io.shredder.incoop.memo.MemoKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Puts chunks that have to be computed into groups of about the same size, in the input's order: as few groups as hold
 * so many bytes each.
 */
final class Grouping {

    /** As many as a file system names for a block. */
    private static final int MOST_HOSTS = 3;

    private final String job;
    private final Input input;
    private final List<ChunkGroup> groups = new ArrayList<>();

    private final int first;

    private Grouping(String job, Input input, int first) {
        this.job = job;
        this.input = input;
        this.first = first;
    }

    /**
     * The groups, none of them empty.
     *
     * @param job the MapReduce id that names their memo files
     * @param bytesPerGroup which a group passes by less than a chunk
     * @param input where the chunks lie
     */
    static List<ChunkGroup> of(List<InputChunk> chunks, String job, long bytesPerGroup, Input input)
            throws IOException {
        return of(chunks, job, bytesPerGroup, input, 0);
    }

    /**
     * The same for a job that has others, too.
     *
     * @param first the number that names the first one's memo file
     */
    static List<ChunkGroup> of(List<InputChunk> chunks, String job, long bytesPerGroup, Input input, int first)
            throws IOException {
        Grouping grouping = new Grouping(job, input, first);
        long total = chunks.stream().mapToLong(InputChunk::length).sum();
        long count = Math.max(1, (total - 1) / bytesPerGroup + 1);
        double bytesEach = total / (double) count;
        List<InputChunk> open = new ArrayList<>();
        long openNumber = 0;
        long before = 0;
        for (InputChunk chunk : chunks) {
            long number = (long) ((before + chunk.length() / 2.0) / bytesEach);
            if (number != openNumber) {
                grouping.close(open);
                openNumber = number;
            }
            open.add(chunk);
            before += chunk.length();
        }
        grouping.close(open);
        return List.copyOf(grouping.groups);
    }

    private void close(List<InputChunk> open) throws IOException {
        if (!open.isEmpty()) {
            groups.add(new ChunkGroup(MemoKind.LEAVES.fileName(job, first + groups.size()), open, hosts(open)));
            open.clear();
        }
    }

    /** Those that hold most bytes of the chunks, the best first. */
    private List<String> hosts(List<InputChunk> chunks) throws IOException {
        Map<String, Long> bytes = new HashMap<>();
        for (InputChunk chunk : chunks) {
            for (String host : input.hosts(chunk)) {
                bytes.merge(host, (long) chunk.length(), Long::sum);
            }
        }
        return bytes.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(MOST_HOSTS)
                .map(Map.Entry::getKey)
                .toList();
    }
}
