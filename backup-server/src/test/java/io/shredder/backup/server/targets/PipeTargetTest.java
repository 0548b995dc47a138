// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.targets;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class PipeTargetTest {

    @Test
    void anOutputThatTakesNoMoreIsNamed() throws IOException {
        try (FileOutputStream full = new FileOutputStream("/dev/full");
                PipeTarget target = new PipeTarget(full.getChannel())) {
            assertThatThrownBy(() -> target.write(0, ByteBuffer.allocate(10)))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("can't write to standard output");
            assertThatThrownBy(() -> target.writeZeros(10, 10))
                    .hasMessageStartingWith("can't write to standard output");
        }
    }
}
