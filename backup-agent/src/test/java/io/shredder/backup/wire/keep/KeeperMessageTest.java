// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire.keep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.wire.Frame;
import io.shredder.backup.wire.FrameType;
import io.shredder.backup.wire.KeeperMessage;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

public class KeeperMessageTest {

    private static final KeptName FILE = new KeptName("files/a@00000001.0000000000000001.growing");
    private static final UUID ID = new UUID(1, -2);

    private static ByteBuffer bytes(int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length);
        Arrays.stream(values).forEach(value -> bytes.put((byte) value));
        return bytes.flip();
    }

    /** One of each. */
    public static List<KeeperRequest> requests() {
        return List.of(
                new KeeperRequest.Plain(FrameType.KEEPER_NAMES),
                new KeeperRequest.Plain(FrameType.KEEPER_USABLE),
                new KeeperRequest.Hold(ID, 3),
                new KeeperRequest.OfFile(FrameType.KEEPER_READ, FILE),
                new KeeperRequest.OfFile(FrameType.KEEPER_HAS, FILE),
                new KeeperRequest.OfFile(FrameType.KEEPER_STAT, FILE),
                new KeeperRequest.OfFile(FrameType.KEEPER_OPEN, FILE),
                new KeeperRequest.OfHandle(FrameType.KEEPER_SIZE, 7),
                new KeeperRequest.OfHandle(FrameType.KEEPER_CLOSE, -7),
                new KeeperRequest.ReadAt(7, 1L << 40, KeepFormat.MAX_BYTES),
                new KeeperRequest.ListFiles(Optional.empty(), Optional.of(FILE)),
                new KeeperRequest.ListFiles(Optional.of(new KeptName("files")), Optional.empty()),
                new KeeperChange.OfFile(FrameType.KEEPER_DELETE, 3, FILE, 0),
                new KeeperChange.OfFile(FrameType.KEEPER_FORCE_FILE, 3, FILE, 0),
                new KeeperChange.OfFile(FrameType.KEEPER_MAKE_FOLDER, 0, new KeptName("files"), 0),
                new KeeperChange.OfFile(FrameType.KEEPER_CUT, 3, FILE, 1L << 33),
                new KeeperChange.OfFile(FrameType.KEEPER_SET_MODIFIED, 3, FILE, 1_700_000_000_000L),
                new KeeperChange.OfHandle(FrameType.KEEPER_WRITE_BEHIND, 3, 7),
                new KeeperChange.OfHandle(FrameType.KEEPER_FORCE, 3, 7),
                new KeeperChange.Append(3, 7, bytes(1, 2, 3)),
                new KeeperChange.Write(FrameType.KEEPER_CREATE, 3, FILE, bytes()),
                new KeeperChange.Write(FrameType.KEEPER_REPLACE, 3, FILE, bytes(9)),
                new KeeperChange.Rename(3, FILE, new KeptName("files/b")));
    }

    private static List<KeeperAnswer> answers() {
        return List.of(
                new KeeperAnswer.Greeting(1, 2, ID, "shredder"),
                new KeeperAnswer.Done(),
                new KeeperAnswer.Count(Long.MAX_VALUE),
                new KeeperAnswer.Opened(7),
                new KeeperAnswer.Status(1L << 33, 1_700_000_000_000L),
                new KeeperAnswer.Bytes("a bad sector", bytes(4, 5)),
                new KeeperAnswer.Files(
                        true,
                        List.of(
                                new KeeperAnswer.Entry(new KeptName("files/a"), 5),
                                new KeeperAnswer.Entry(new KeptName("files/b"), 6))));
    }

    private static ByteBuffer body(KeeperMessage message) {
        ByteBuffer body = ByteBuffer.allocate(message.bodyBytes());
        message.writeBody(body);
        assertThat(body.hasRemaining()).as("%s", message.type()).isFalse();
        return body.flip();
    }

    public static KeeperMessage read(FrameType type, ByteBuffer body) throws DamagedDataException {
        BodyReader in = new BodyReader(body, "peer", 100);
        return answers().stream().anyMatch(answer -> answer.type() == type)
                ? KeeperAnswer.read(type, in)
                : KeeperRequest.read(type, in);
    }

    public static List<KeeperMessage> all() {
        return Stream.concat(requests().stream(), answers().stream()).collect(Collectors.toList());
    }

    @Test
    void everyMessageIsReadAsItWasWritten() throws DamagedDataException {
        for (KeeperMessage message : all()) {
            assertThat(read(message.type(), body(message))).isEqualTo(message);
        }
        Set<FrameType> known = all().stream().map(KeeperMessage::type).collect(Collectors.toSet());
        assertThat(known)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(FrameType.values())
                        .filter(type -> type.name().startsWith("KEEPER_"))
                        .toList());
    }

    /** By another program, from docs/formats/keep.md. */
    @Test
    void framesAreByteForByteWhatTheDocumentSays() {
        KeptName name = new KeptName("files/a");
        assertThat(hex(5, new KeeperChange.Append(3, 7, bytes(1, 2, 3))))
                .isEqualTo("5348015d000000050000000b561365a20000000300000007010203");
        assertThat(hex(6, new KeeperChange.Rename(3, name, name)))
                .isEqualTo("5348016200000006000000163a8cec5d00000003000766696c65732f61000766696c65732f61");
        assertThat(hex(7, new KeeperAnswer.Files(true, List.of(new KeeperAnswer.Entry(name, 5)))))
                .isEqualTo("5348017300000007000000164e47100b0100000001000766696c65732f610000000000000005");
    }

    private static String hex(int requestId, KeeperMessage message) {
        return HexFormat.of().formatHex(Frame.encode(requestId, message).array());
    }

    /** What ends with any bytes may end anywhere behind its fixed part. */
    @Test
    void aMessageThatIsCutOffOrGoesOnIsRefused() throws DamagedDataException {
        for (KeeperMessage message : all()) {
            ByteBuffer body = body(message);
            boolean open = message instanceof KeeperChange.Append
                    || message instanceof KeeperChange.Write
                    || message instanceof KeeperAnswer.Bytes;
            int fixed = open ? body.limit() - tail(message) : body.limit();
            for (int length = 0; length < fixed; length++) {
                ByteBuffer cut = body.slice(0, length);
                assertThatThrownBy(() -> read(message.type(), cut))
                        .as("%s of %s bytes", message.type(), length)
                        .isInstanceOf(DamagedDataException.class)
                        .hasMessageContaining("peer: damaged at offset 1");
            }
            if (!open) {
                ByteBuffer longer =
                        ByteBuffer.allocate(body.limit() + 1).put(body).rewind();
                assertThatThrownBy(() -> read(message.type(), longer)).isInstanceOf(DamagedDataException.class);
            }
        }
    }

    private static int tail(KeeperMessage message) {
        if (message instanceof KeeperChange.Append append) {
            return append.bytes().remaining();
        } else if (message instanceof KeeperChange.Write write) {
            return write.bytes().remaining();
        }
        return ((KeeperAnswer.Bytes) message).bytes().remaining();
    }

    @Test
    void numbersOutOfRangeAreRefused() {
        ByteBuffer longRead = ByteBuffer.allocate(16).putInt(1).putLong(0).putInt(KeepFormat.MAX_BYTES + 1);
        assertThatThrownBy(() -> read(FrameType.KEEPER_READ_AT, longRead.flip()))
                .hasMessageContaining("length " + (KeepFormat.MAX_BYTES + 1) + " is above");
        ByteBuffer before = ByteBuffer.allocate(16).putInt(1).putLong(-1).putInt(1);
        assertThatThrownBy(() -> read(FrameType.KEEPER_READ_AT, before.flip())).hasMessageContaining("out of range");
        ByteBuffer epoch = body(new KeeperChange.OfHandle(FrameType.KEEPER_FORCE, -1, 7));
        assertThatThrownBy(() -> read(FrameType.KEEPER_FORCE, epoch)).hasMessageContaining("epoch");
        ByteBuffer much = ByteBuffer.allocate(8 + KeepFormat.MAX_BYTES + 1);
        assertThatThrownBy(() -> read(FrameType.KEEPER_APPEND, much)).hasMessageContaining("are more than");
        ByteBuffer both = bytes(2, 0);
        assertThatThrownBy(() -> read(FrameType.KEEPER_LIST, both)).hasMessageContaining("neither there nor not");
    }

    @Test
    void namesThatGoBackwardsAreRefused() {
        ByteBuffer turned = body(new KeeperAnswer.Files(
                false,
                List.of(new KeeperAnswer.Entry(new KeptName("b"), 5), new KeeperAnswer.Entry(new KeptName("a/c"), 6))));
        assertThatThrownBy(() -> read(FrameType.KEEPER_FILES, turned)).hasMessageContaining("is not behind the name");
        ByteBuffer endless = ByteBuffer.allocate(5).put((byte) 1).putInt(0);
        assertThatThrownBy(() -> read(FrameType.KEEPER_FILES, endless.flip())).hasMessageContaining("no names");
    }

    @Test
    void whatIsSaidToAgentsIsNotSaidToKeepers() {
        assertThatThrownBy(() -> KeeperRequest.read(FrameType.DELETE, new BodyReader(bytes(), "peer", 0)))
                .hasMessageContaining("DELETE is nothing that a keeper is asked");
        assertThatThrownBy(() -> KeeperRequest.read(FrameType.KEEPER_DONE, new BodyReader(bytes(), "peer", 0)))
                .hasMessageContaining("is nothing that a keeper is asked");
        assertThatThrownBy(() -> KeeperAnswer.read(FrameType.KEEPER_APPEND, new BodyReader(bytes(), "peer", 0)))
                .hasMessageContaining("is nothing that a keeper answers");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/etc/passwd",
                "..",
                "../x",
                "files/../../x",
                "files//x",
                "files/",
                ".",
                "./x",
                "files/./x",
                "a\0b",
                "a\nb",
                "a\\b",
                "lock",
                "lock/x",
                "a\u007f"
            })
    void aNameThatLeadsElsewhereIsRefused(String name) {
        assertThatThrownBy(() -> new KeptName(name)).isInstanceOf(IllegalArgumentException.class);
        byte[] text = name.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        ByteBuffer body = ByteBuffer.allocate(2 + text.length)
                .putShort((short) text.length)
                .put(text);
        assertThatThrownBy(() -> read(FrameType.KEEPER_OPEN, body.flip())).isInstanceOf(DamagedDataException.class);
    }

    @Test
    void namesAreAsLongAsAFileSystemTakesThem() {
        String part = "x".repeat(255);
        assertThat(new KeptName(part + "/" + part + "/" + part).value()).hasSize(767);
        assertThatThrownBy(() -> new KeptName(part + "x")).hasMessageContaining("longer than 255 bytes");
        assertThatThrownBy(() -> new KeptName("ä".repeat(128))).hasMessageContaining("longer than 255 bytes");
        assertThatThrownBy(() -> new KeptName("a/".repeat(520) + "a")).hasMessageContaining("longer than 1024 bytes");
        assertThat(new KeptName("locked").value()).isEqualTo("locked");
        assertThat(new KeptName("files/lock").value()).isEqualTo("files/lock");
        assertThat(new KeptName("files/..x/x..").value()).isEqualTo("files/..x/x..");
    }
}
