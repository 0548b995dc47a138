// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.seal.ChunkIdentity;
import io.shredder.backup.seal.Keys;
import io.shredder.backup.seal.Pointer;
import io.shredder.chunk.DigestAlgorithm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReassemblyTest {

    private final ChunkIdentity identities = new ChunkIdentity(Keys.counted(), DigestAlgorithm.BLAKE3);

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    private ChunkRef ref(String text) throws IOException {
        return new ChunkRef(text.length(), identities.ofData(bytes(text)));
    }

    @Test
    void onlyChunksOfWhichEveryByteIsThereComeBack() throws IOException {
        ChunkRef rest = ref("changed twice");
        ChunkRef old = ref("as it was before");
        List<Pointer> pointers = List.of(
                new Pointer(old, 0, 5), new Pointer(rest, 0, 7), new Pointer(old, 9, 7), new Pointer(rest, 7, 6));
        assertThat(Reassembly.of(bytes("as itchanged before twice"), pointers, identities))
                .containsOnly(java.util.Map.entry(rest, bytes("changed twice")));
        assertThat(Reassembly.of(bytes("as itCHANGED before twice"), pointers, identities))
                .isEmpty();
    }
}
