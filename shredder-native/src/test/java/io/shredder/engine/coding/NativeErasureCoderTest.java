// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.engine.BackendUnavailableException;
import io.shredder.engine.InvalidOptionException;
import io.shredder.engine.NativeLibrary;
import io.shredder.engine.ShredderException;
import io.shredder.engine.coding.ErasureCode.Kind;
import java.nio.ByteBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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

    /** Whatever becomes of the checks before it, a native call stays within the buffers. */
    @Test
    void placesOutsideABufferAreRefused() throws Exception {
        NativeLibrary.require();
        long coder = CodingJni.open(Kind.XOR.code(), 1, 1, 1, false, NativeErasureCoder.ALL_GPUS);
        try {
            CodingJni.encode(coder, direct(100), new int[] {36}, direct(64), new int[] {0}, 64);
            refuses(() -> CodingJni.encode(coder, direct(100), new int[] {37}, direct(64), new int[] {0}, 64));
            refuses(() -> CodingJni.encode(coder, direct(100), new int[] {-1}, direct(64), new int[] {0}, 64));
            refuses(() -> CodingJni.encode(coder, direct(64), new int[] {0}, direct(64), new int[] {1}, 64));
            refuses(() -> CodingJni.encode(coder, direct(64), new int[] {0}, direct(64), new int[] {0}, -1));
            ByteBuffer[] one = {direct(64)[0], null};
            refuses(() -> CodingJni.decode(coder, one, new int[] {1, 0}, new int[] {1}, direct(64), new int[] {0}, 64));
        } finally {
            CodingJni.close(coder);
        }
    }

    private static ByteBuffer[] direct(int bytes) {
        return new ByteBuffer[] {ByteBuffer.allocateDirect(bytes)};
    }

    private static void refuses(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(InvalidOptionException.class)
                .hasMessageContaining("does not lie within its buffer");
    }
}
