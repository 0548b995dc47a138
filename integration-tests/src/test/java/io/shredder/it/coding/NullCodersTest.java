// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import org.apache.hadoop.io.erasurecode.CodecRegistry;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Coders that write wrong parity are where they are asked for, and nowhere else. */
class NullCodersTest {
    private static final ErasureCoderOptions OPTIONS = new ErasureCoderOptions(6, 3);

    @TempDir
    Path folder;

    @Test
    void theFolderNamesThemToHadoop() throws Exception {
        URL[] path = {NullCoders.serviceFolder(folder).toUri().toURL()};
        try (var loader = new URLClassLoader(path, NullCoders.class.getClassLoader())) {
            List<String> names = ServiceLoader.load(RawErasureCoderFactory.class, loader).stream()
                    .map(provider ->
                            provider.get().getCodecName() + " " + provider.get().getCoderName())
                    .toList();
            assertThat(names).contains("rs rs_null", "rs rs_null_on_heap", "rs rs_java", "rs rs_shredder");
        }
    }

    @Test
    void withoutItHadoopHasNone() {
        assertThat(CodecRegistry.getInstance().getCoderNames("rs"))
                .contains("rs_java", "rs_shredder")
                .doesNotContain(NullCoders.DIRECT, NullCoders.ON_HEAP);
    }

    @Test
    void positionsMoveAndNothingIsWritten() throws Exception {
        RawErasureEncoder direct = new NullCoders.Direct().createEncoder(OPTIONS);
        RawErasureEncoder onHeap = new NullCoders.OnHeap().createEncoder(OPTIONS);
        assertThat(direct.preferDirectBuffer()).isTrue();
        assertThat(onHeap.preferDirectBuffer()).isFalse();
        for (RawErasureEncoder encoder : List.of(direct, onHeap)) {
            ByteBuffer[] data = new ByteBuffer[6];
            ByteBuffer[] parity = new ByteBuffer[3];
            Arrays.setAll(data, i -> ByteBuffer.wrap(new byte[] {1, 2, 3}));
            Arrays.setAll(parity, i -> ByteBuffer.wrap(new byte[] {7, 7, 7}));
            encoder.encode(data, parity);
            assertThat(data).allMatch(buffer -> !buffer.hasRemaining());
            assertThat(parity).allMatch(buffer -> buffer.equals(ByteBuffer.wrap(new byte[] {7, 7, 7})));
        }
    }

    @Test
    void nothingIsDecoded() {
        assertThatThrownBy(() -> new NullCoders.Direct().createDecoder(OPTIONS))
                .isInstanceOf(UnsupportedOperationException.class);
    }
}
