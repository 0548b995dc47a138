// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.wire.keep.KeeperMessageTest;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** {@code testvectors/wire-v9.txt}: a frame of each kind, as 0.1.0 writes it. */
class WireGoldenTest {

    private static final Path GOLDEN = Path.of("..", "testvectors", "wire-v9.txt");
    private static final int REQUEST_ID = 1;

    @Test
    void framesOfEveryTypeAreReadAndWrittenAsByTheFirstRelease() throws Exception {
        Set<FrameType> types = EnumSet.noneOf(FrameType.class);
        for (String line : Files.readAllLines(GOLDEN)) {
            String[] words = line.split(" ", -1);
            FrameType type = FrameType.valueOf(words[0]);
            byte[] frame = HexFormat.of().parseHex(words[1]);
            ByteBuffer body = ByteBuffer.wrap(frame, WireFormat.HEADER_BYTES, frame.length - WireFormat.HEADER_BYTES)
                    .slice();
            Message again = type.name().startsWith("KEEPER_")
                    ? KeeperMessageTest.read(type, body)
                    : MessageTest.read(type, bytes(body));
            assertThat(Frame.encode(REQUEST_ID, again).array()).as(line).isEqualTo(frame);
            types.add(type);
        }
        assertThat(types).isEqualTo(EnumSet.allOf(FrameType.class));
    }

    private static byte[] bytes(ByteBuffer body) {
        byte[] bytes = new byte[body.remaining()];
        body.get(bytes);
        return bytes;
    }
}
