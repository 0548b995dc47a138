// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.GoldenVectors;
import io.shredder.chunk.GoldenVectors.GoldenVector;
import io.shredder.chunk.ReferenceChunker;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code testvectors/chunking.json}, through JNI. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EngineGoldenVectorsTest {

    @ParameterizedTest
    @MethodSource("io.shredder.engine.EngineTests#availableBackends")
    void everyBackendGivesThem(Backend backend) throws Exception {
        List<GoldenVector> vectors = GoldenVectors.read();
        assertThat(vectors).hasSizeGreaterThan(10);
        for (int bufferBytes : new int[] {4096, 1 << 20}) {
            try (Shredder engine = EngineTests.open(backend, bufferBytes)) {
                for (GoldenVector vector : vectors) {
                    assertThat(EngineTests.chunks(engine, vector.params(), vector.input()))
                            .as("%s, buffers of %s", vector, bufferBytes)
                            .isEqualTo(vector.chunks());
                }
            }
        }
    }

    @Test
    void theJavaReferenceAgreesWithTheEngineOnThem() throws Exception {
        try (Shredder engine = EngineTests.open(Backend.CPU, 8192)) {
            for (GoldenVector vector : GoldenVectors.read()) {
                assertThat(EngineTests.chunks(engine, vector.params(), vector.input()))
                        .isEqualTo(ReferenceChunker.chunk(vector.params(), vector.input()));
            }
        }
    }
}
