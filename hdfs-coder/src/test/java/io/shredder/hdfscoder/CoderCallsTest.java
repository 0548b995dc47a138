// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfscoder;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.engine.coding.ErasureCode;
import io.shredder.engine.coding.ErasureCode.Kind;
import io.shredder.engine.coding.ErasureCoder;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.hadoop.io.erasurecode.ECChunk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CoderCallsTest {

    @TempDir
    Path folder;

    /** The buffer's file takes no more room than the last bytes. */
    @Test
    void aChunkThatIsAllZeroMayEndWhereTheLongestBufferEnds() throws Exception {
        ByteBuffer end;
        try (FileChannel file = FileChannel.open(
                folder.resolve("sparse"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            end = file.map(MapMode.READ_WRITE, 0, Integer.MAX_VALUE);
        }
        int bytes = 10_000;
        end.position(Integer.MAX_VALUE - bytes);
        for (int i = 0; i < bytes; i++) {
            end.put(end.position() + i, (byte) 5);
        }
        ECChunk zeros = new ECChunk(end);
        zeros.setAllZero(true);
        byte[] output = new byte[bytes];
        try (ErasureCoder coder = ErasureCoder.create(new ErasureCode(Kind.XOR, 1, 1))) {
            output[7] = 5;
            new CoderCalls("xor", coder)
                    .decode(new ECChunk[] {null, zeros}, new int[] {0}, new ECChunk[] {new ECChunk(output)});
        }
        assertThat(output).containsOnly(0);
    }
}
