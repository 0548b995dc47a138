// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WorkListTest {

    private record Task(long number, boolean runs) implements WorkList.Work {}

    @Test
    void allThatRunsIsRememberedAndOfTheRestTheLast() {
        WorkList<Task> list = new WorkList<>(50);
        for (int i = 1; i <= 200; i++) {
            Task added = list.add(number -> new Task(number, number == 3));
            assertThat(added.number()).isEqualTo(i);
        }
        assertThat(list.find(3)).isPresent();
        assertThat(list.find(100)).isEmpty();
        assertThat(list.running()).containsExactly(new Task(3, true));
        List<Long> newestFirst = list.newestFirst().stream().map(Task::number).toList();
        assertThat(newestFirst.subList(0, 49))
                .isEqualTo(LongStream.rangeClosed(152, 200)
                        .map(i -> 352 - i)
                        .boxed()
                        .toList());
        assertThat(newestFirst).hasSize(50).endsWith(3L);
    }
}
