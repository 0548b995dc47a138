// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

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
    SWAP("two blocks of records swapped");

    private static final int BLOCK = 7;

    private final String title;

    InputEdit(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** The records of the next version. */
    List<String> apply(List<String> records, InputKind kind, Random random) {
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
        }
        return next;
    }

    private static List<String> fresh(InputKind kind, Random random) {
        List<String> records = new ArrayList<>();
        for (int i = 0; i < BLOCK; i++) {
            records.add(kind.record(random));
        }
        return records;
    }
}
