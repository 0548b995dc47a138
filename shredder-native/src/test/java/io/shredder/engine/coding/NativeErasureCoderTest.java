// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.engine.BackendUnavailableException;
import io.shredder.engine.InvalidOptionException;
import io.shredder.engine.ShredderException;
import io.shredder.engine.coding.ErasureCode.Kind;
import org.junit.jupiter.api.Test;

class NativeErasureCoderTest extends ErasureCoderContract {

    private static final ErasureCode CODE = new ErasureCode(Kind.RS, 6, 3);

    @Override
    ErasureCoder open(ErasureCode code) throws ShredderException {
        return new NativeErasureCoder(code, code.data() % 2 == 0 ? 1 : 3);
    }

    @Test
    void whoeverCreatesACoderGetsIt() throws Exception {
        try (ErasureCoder one = ErasureCoder.create(CODE);
                ErasureCoder more = ErasureCoder.create(CODE, 2)) {
            assertThat(one).isInstanceOf(NativeErasureCoder.class);
            assertThat(more).isInstanceOf(NativeErasureCoder.class);
            assertThat(one.form()).isIn("scalar", "avx2", "avx2-gfni", "avx512", "avx512-gfni");
        }
    }

    @Test
    void aGpuThatIsNotThereIsAnError() {
        assertThatThrownBy(() -> ErasureCoder.createOnGpu(CODE, 1, 999))
                .isInstanceOf(BackendUnavailableException.class);
    }

    @Test
    void aNumberOfThreadsThatMakesNoSenseIsRefused() {
        assertThatThrownBy(() -> ErasureCoder.create(CODE, 0)).hasMessage("a coder of 0 threads");
        assertThatThrownBy(() -> ErasureCoder.create(CODE, 1025))
                .isInstanceOf(InvalidOptionException.class)
                .hasMessage("a coder of 1025 threads: use 1 to 1024");
    }
}
