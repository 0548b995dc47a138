// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import io.shredder.it.exact.cases.InputKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What happens to an input between two runs. */
public enum InputEdit {
    INSERT_AT_START("records inserted at the start"),
    INSERT_IN_MIDDLE("records inserted in the middle"),
    APPEND("records appended"),
    DELETE("records deleted"),
    CHANGE_ONE("a record changed"),
    TRUNCATE("the last records cut off"),
    REPLACE_BY_EQUAL("the file replaced by an equal one"),
    MOVE_FOLDER("the folder moved"),
    SWAP("two blocks of records swapped"),
    FIRST_CHUNK_CUT_OFF("the first chunk cut off"),
    CHUNK_TO_FRONT("a chunk copied to the front");

    private static final int BLOCK = 7;

    private final String title;

    InputEdit(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /**
     * The records of the next version.
     *
     * @param chunkEnds how many records end with each chunk but the last; none if that is not known
     */
    List<String> apply(List<String> records, List<Integer> chunkEnds, InputKind kind, Random random) {
        List<String> next = new ArrayList<>(records);
        int middle = BLOCK + random.nextInt(Math.max(1, next.size() - 3 * BLOCK));
        switch (this) {
            case INSERT_AT_START -> next.addAll(0, fresh(kind, random));
            case INSERT_IN_MIDDLE -> next.addAll(Math.min(middle, next.size()), fresh(kind, random));
            case APPEND -> next.addAll(fresh(kind, random));
            case DELETE ->
                next.subList(Math.min(middle, next.size()), Math.min(middle + BLOCK, next.size()))
                        .clear();
            case CHANGE_ONE -> next.set(random.nextInt(next.size()), kind.record(random));
            case TRUNCATE ->
                next.subList(next.size() - next.size() / 10, next.size()).clear();
            case REPLACE_BY_EQUAL, MOVE_FOLDER -> {}
            case SWAP -> {
                List<String> block = next.subList(0, BLOCK);
                List<String> moved = new ArrayList<>(block);
                block.clear();
                next.addAll(middle, moved);
            }
            case FIRST_CHUNK_CUT_OFF ->
                next.subList(0, chunkEnds.isEmpty() ? BLOCK : chunkEnds.get(0)).clear();
            case CHUNK_TO_FRONT -> next.addAll(0, laterChunk(records, chunkEnds, random));
        }
        return next;
    }

    /** One that is not the first and ends where its content says, so that what follows it keeps its chunks. */
    private static List<String> laterChunk(List<String> records, List<Integer> chunkEnds, Random random) {
        if (chunkEnds.size() < 2) {
            return List.copyOf(records.subList(0, BLOCK));
        }
        int chunk = 1 + random.nextInt(chunkEnds.size() - 1);
        return List.copyOf(records.subList(chunkEnds.get(chunk - 1), chunkEnds.get(chunk)));
    }

    private static List<String> fresh(InputKind kind, Random random) {
        List<String> records = new ArrayList<>();
        for (int i = 0; i < BLOCK; i++) {
            records.add(kind.record(random));
        }
        return records;
    }
}
