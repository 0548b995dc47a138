// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.it.exact.cases.InputKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class InputEditTest {
    private static final List<Integer> CHUNK_ENDS = List.of(30, 55, 80);

    @ParameterizedTest
    @EnumSource(InputEdit.class)
    void theSameSeedGivesTheSameEdit(InputEdit edit) {
        List<String> records = records();

        assertThat(edit.apply(records, CHUNK_ENDS, InputKind.LINES, new Random(5)))
                .isEqualTo(edit.apply(records, CHUNK_ENDS, InputKind.LINES, new Random(5)));
        assertThat(records).isEqualTo(records());
    }

    @Test
    void whatComesAfterTheFirstChunkKeepsItsChunksWhenThatIsCutOff() {
        assertThat(InputEdit.FIRST_CHUNK_CUT_OFF.apply(records(), CHUNK_ENDS, InputKind.LINES, new Random(1)))
                .isEqualTo(records().subList(30, 100));
    }

    @Test
    void aChunkThatIsCopiedToTheFrontIsAWholeOneAndNotTheFirst() {
        List<String> next = InputEdit.CHUNK_TO_FRONT.apply(records(), CHUNK_ENDS, InputKind.LINES, new Random(1));

        assertThat(next.get(0)).isIn("30", "55");
        assertThat(next.subList(25, 125)).isEqualTo(records());
    }

    private static List<String> records() {
        List<String> records = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            records.add(String.valueOf(i));
        }
        return records;
    }
}
