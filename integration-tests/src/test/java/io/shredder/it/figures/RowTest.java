// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.shredder.it.programs.NativePrograms;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class RowTest {
    @Test
    void aRateIsThatOfTheMedianRoundWhereTheProgramGivesNone() throws IOException {
        Row row = Row.parse("{\"name\":\"peer\",\"bytes\":2000000000,\"roundSeconds\":[4.0,1.0,2.0]}");
        assertThat(row.rate()).isCloseTo(1.0, within(1e-12));
        assertThat(Row.parse("{\"name\":\"own\",\"gbPerSecond\":3.5}").rate()).isEqualTo(3.5);
    }

    @Test
    void ratiosAreTakenRoundByRoundSoThatASlowSecondFallsOnBoth() throws IOException {
        Row fast = Row.parse("{\"name\":\"a\",\"bytes\":100,\"roundSeconds\":[1,10,1]}");
        Row slow = Row.parse("{\"name\":\"b\",\"bytes\":100,\"roundSeconds\":[2,20,2]}");
        assertThat(fast.timesFasterThan(slow)).isEqualTo(2.0);
    }

    @Test
    void ratiosAreByteForByte() throws IOException {
        Row all = Row.parse("{\"name\":\"a\",\"bytes\":800,\"roundSeconds\":[1]}");
        Row eighth = Row.parse("{\"name\":\"b\",\"bytes\":100,\"roundSeconds\":[1]}");
        assertThat(all.timesFasterThan(eighth)).isEqualTo(8.0);
    }

    @Test
    void aRowThatFailedSaysWhyAndIsNoFigure() throws IOException {
        var output = NativePrograms.parse("{\"name\":\"x\",\"error\":\"no GPU\"}\nwarning\n\n{\"name\":\"y\"}\n");
        assertThat(output.rows().get(0).error()).contains("no GPU");
        assertThat(output.row("x")).isEmpty();
        assertThat(output.row("y")).isPresent();
        assertThat(output.otherLines()).containsExactly("warning");
    }

    @Test
    void halfALineIsAnErrorThatShowsIt() {
        assertThatThrownBy(() -> Row.parse("{\"name\":"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("{\"name\":");
    }
}
