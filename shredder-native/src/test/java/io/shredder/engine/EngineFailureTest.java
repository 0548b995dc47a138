// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class EngineFailureTest {

    @Test
    void eachStatusBecomesTheExceptionThatSaysWhatTheCallerCanDo() {
        assertThat(EngineFailure.of(1, "x")).isInstanceOf(InvalidOptionException.class);
        assertThat(EngineFailure.of(2, "x")).isInstanceOf(BackendUnavailableException.class);
        assertThat(EngineFailure.of(6, "x")).isInstanceOf(StreamCancelledException.class);
        assertThat(EngineFailure.of(7, "x")).isInstanceOf(IllegalStateException.class);
        assertThat(EngineFailure.of(9, "x")).isExactlyInstanceOf(ShredderException.class);
        assertThat(EngineFailure.of(10, "x")).isInstanceOf(SourceChangedException.class);
        assertThat(EngineFailure.of(8, "x"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("bug");
    }

    /** A count that no memory is enough for. */
    @Test
    void whatIsThrownAtTheDoorBetweenJavaAndTheEngineIsAnException() throws Exception {
        NativeLibrary.require();
        ByteBuffer data = ByteBuffer.allocateDirect(1);
        assertThatThrownBy(() -> ShredderJni.digestMemory(data, new int[0], -1, 1, new byte[0]))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> ShredderJni.tagChunks(new byte[16], data, 0, new int[0], -1, new byte[0]))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void theTextIsTakenAsUtf8() {
        byte[] text = "/\u00fc/\ud83d\ude00".getBytes(StandardCharsets.UTF_8);
        assertThat(EngineFailure.of(9, text)).hasMessage("/\u00fc/\ud83d\ude00");
    }

    @Test
    void onlyALostDeviceIsNotWorthAnotherTry() {
        for (int status : new int[] {3, 4, 5}) {
            Throwable failure = EngineFailure.of(status, "the device");
            assertThat(failure).isInstanceOf(DeviceException.class).hasMessage("the device");
            assertThat(((DeviceException) failure).retryable()).isEqualTo(status != 5);
        }
    }
}
