// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class PipeTargetTest {

    @Test
    void anOutputThatTakesNoMoreIsNamed() throws IOException {
        try (FileOutputStream full = new FileOutputStream("/dev/full");
                PipeTarget target = new PipeTarget(full)) {
            assertThatThrownBy(() -> target.write(new byte[10]))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("can't write to standard output");
            assertThatThrownBy(() -> target.writeZeros(10)).hasMessageStartingWith("can't write to standard output");
        }
    }
}
