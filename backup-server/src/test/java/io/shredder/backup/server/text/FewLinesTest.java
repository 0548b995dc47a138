// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FewLinesTest {

    @Test
    void eachLineIsKeptOnceInItsOrder() {
        FewLines lines = new FewLines();
        lines.add("b");
        lines.add("a");
        lines.add("b");
        assertThat(lines.lines()).containsExactly("b", "a");
    }

    @Test
    void linesWithoutEndAreCountedNotKept() {
        FewLines many = new FewLines();
        for (int i = 0; i < 100_007; i++) {
            many.add("line " + i);
        }
        assertThat(many.lines()).hasSize(100_001).last().isEqualTo("and 7 more lines, which are too many to keep");
        FewLines longs = new FewLines();
        for (int i = 0; i < 20_000; i++) {
            longs.add("x".repeat(2000) + i);
        }
        assertThat(longs.lines().stream().mapToLong(String::length).sum()).isLessThanOrEqualTo((16 << 20) + 100);
    }
}
