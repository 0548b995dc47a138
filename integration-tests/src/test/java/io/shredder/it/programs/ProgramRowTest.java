// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ProgramRowTest {
    @Test
    void aRowIsWrittenAsTheProgramReadsIt() {
        ProgramRow row = ProgramRow.named("depth 2").with("backend", "cuda").with("depth", 2);
        assertThat(row.word()).isEqualTo("name=depth 2,backend=cuda,depth=2");
    }

    @Test
    void aChangedRowLeavesTheOneItCameFromAlone() {
        ProgramRow base = ProgramRow.named("a").with("depth", 1);
        assertThat(base.with("depth", 4).word()).isEqualTo("name=a,depth=4");
        assertThat(base.word()).isEqualTo("name=a,depth=1");
    }

    @Test
    void aValueThatWouldEndItsSettingIsRefused() {
        assertThatThrownBy(() -> ProgramRow.named("a,b")).hasMessageContaining("name=a,b");
    }
}
