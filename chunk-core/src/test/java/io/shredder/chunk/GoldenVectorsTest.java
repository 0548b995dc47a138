// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class GoldenVectorsTest {

    @TestFactory
    Stream<DynamicTest> theReferenceGivesTheChunksOfEveryVector() {
        return GoldenVectors.read().stream()
                .map(vector -> DynamicTest.dynamicTest(
                        vector.name(), () -> assertThat(ReferenceChunker.chunk(vector.params(), vector.input()))
                                .isEqualTo(vector.chunks())));
    }

    @Test
    void theGoldenManifestReadsAndWritesAsItWas() throws IOException {
        Path file = GoldenVectors.directory().resolve("manifest-v1.bin");
        byte[] golden = Files.readAllBytes(file);
        Manifest manifest = ManifestCodec.decode(golden, file.toString());
        assertThat(manifest.recordFormat()).isEqualTo("text:0d0a");
        assertThat(manifest.fileId()).isEqualTo(16_421);
        assertThat(manifest.length()).isEqualTo(20_000);
        assertThat(manifest.chunks())
                .isEqualTo(ReferenceChunker.chunk(manifest.params(), TestInput.splitmix64(7, 20_000)));
        assertThat(ManifestCodec.encode(manifest)).isEqualTo(golden);
    }
}
