// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.Manifest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SharedContentTest {

    @Test
    void chunksAreSharedWhereverTheyAreAndSegmentsOnlyWhole() {
        SharedContent shared = SharedContent.of(manifest("aa bb | ccc d |"), manifest("d | aa bb | ccc e |"));
        assertThat(shared.chunks()).isEqualTo(new SharedContent.Counts(4, 5, 8, 9));
        assertThat(shared.segments()).isEqualTo(new SharedContent.Counts(1, 3, 4, 9));
        assertThat(shared.segments().sharedPercent()).isBetween(44.4, 44.5);
    }

    @Test
    void anEmptyFileIsSharedWhole() {
        SharedContent shared = SharedContent.of(manifest("a |"), manifest(""));
        assertThat(shared.chunks()).isEqualTo(new SharedContent.Counts(0, 0, 0, 0));
        assertThat(shared.chunks().sharedPercent()).isEqualTo(100);
    }

    /** A chunk for each word, a segment's end for each bar. */
    private static Manifest manifest(String words) {
        Manifest.Builder manifest = Manifest.builder(ChunkingParams.ofAverage(64));
        String[] parts = words.isEmpty() ? new String[0] : words.split(" ");
        for (int i = 0; i < parts.length; i++) {
            if (!parts[i].equals("|")) {
                boolean segmentEnd = i + 1 < parts.length && parts[i + 1].equals("|");
                byte[] content = parts[i].getBytes(StandardCharsets.US_ASCII);
                Fingerprint fingerprint = Fingerprint.ofData(ByteBuffer.wrap(content));
                manifest.add(new Chunk(manifest.length(), content.length, fingerprint, segmentEnd));
            }
        }
        return manifest.build();
    }
}
