// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Fields are read as they were written, and no byte beside them. */
class FieldReaderTest {

    private static final long OFFSET = 5_000_000_000L;

    private interface Read {
        void from(FieldReader reader) throws DamagedDataException;
    }

    @Test
    void fieldsAreBigEndianWhateverTheOrderOfTheBuffer() throws Exception {
        Fingerprint fingerprint = Fingerprint.ofData(ByteBuffer.allocate(1));
        ByteBuffer bytes = ByteBuffer.allocate(200)
                .put((byte) 200)
                .putShort((short) 40_000)
                .putInt(7)
                .putLong(Long.MAX_VALUE)
                .putInt(-8)
                .putLong(-9)
                .putLong(1)
                .putLong(2)
                .putShort((short) 0);
        fingerprint.write(bytes);
        bytes.putShort((short) 3).put("é!".getBytes(StandardCharsets.UTF_8)).flip();
        FieldReader reader = new FieldReader(bytes.order(ByteOrder.LITTLE_ENDIAN), "file", OFFSET);

        assertThat(reader.u8("a")).isEqualTo(200);
        assertThat(reader.u16("b")).isEqualTo(40_000);
        assertThat(reader.length("c", 7)).isEqualTo(7);
        assertThat(reader.u63("d")).isEqualTo(Long.MAX_VALUE);
        assertThat(reader.i32("e")).isEqualTo(-8);
        assertThat(reader.i64("f")).isEqualTo(-9);
        assertThat(reader.uuid("g")).isEqualTo(new UUID(1, 2));
        reader.zeros(2, "h");
        assertThat(reader.fingerprint("i")).isEqualTo(fingerprint);
        assertThat(reader.offset()).isEqualTo(OFFSET + 77);
        assertThat(reader.text("j", 3)).isEqualTo("é!");
        reader.end();
        assertThat(bytes.position()).as("nothing is consumed").isZero();
    }

    @Test
    void bytesThatEndInsideAFieldAreRefusedWhereTheyEnd() {
        List<Read> reads = List.of(
                reader -> reader.u8("f"),
                reader -> reader.u16("f"),
                reader -> reader.i32("f"),
                reader -> reader.length("f", 9),
                reader -> reader.i64("f"),
                reader -> reader.u63("f"),
                reader -> reader.uuid("f"),
                reader -> reader.zeros(3, "f"),
                reader -> reader.fingerprint("f"),
                reader -> reader.utf8("f", 1 << 30),
                reader -> reader.take("f", 1 << 30),
                reader -> reader.skip("f", 1 << 30),
                reader -> reader.view("f", 1 << 30),
                reader -> reader.part("f", 1 << 30));
        for (Read read : reads) {
            FieldReader reader = new FieldReader(ByteBuffer.allocate(8), "file", OFFSET);
            assertThatThrownBy(() -> {
                        while (true) {
                            read.from(reader);
                        }
                    })
                    .isInstanceOf(EndOfBytesException.class)
                    .hasMessage("file: damaged at offset " + (OFFSET + 8) + ": ends inside f");
        }
    }

    @Test
    void anEndSaysWhichBytesWouldHaveBeenTheField() throws Exception {
        FieldReader reader = new FieldReader(ByteBuffer.allocate(6), "file", OFFSET);
        reader.skip("a", 4);

        assertThatThrownBy(() -> reader.i64("b")).isInstanceOfSatisfying(EndOfBytesException.class, end -> {
            assertThat(end.fieldOffset()).isEqualTo(OFFSET + 4);
            assertThat(end.fieldBytes()).isEqualTo(8);
        });
        assertThat(reader.remaining()).as("nothing is read").isEqualTo(2);
    }

    @Test
    void valuesOutOfRangeAreRefusedAtTheirFirstByte() {
        refused(new byte[] {9, 0, 0, 0, 8}, reader -> reader.length("n", 7), 1, "n 8 is above 7");
        refused(new byte[] {9, -1, -1, -1, -1}, reader -> reader.length("n", 7), 1, "n 4294967295 is above 7");
        refused(new byte[] {9, -1, 0, 0, 0, 0, 0, 0, 0}, reader -> reader.u63("n"), 1, "is out of range");
        refused(new byte[] {9, 0, 0, 1, 0}, reader -> reader.zeros(4, "n"), 3, "n is not zero");
        refused(new byte[] {9, 0, 3, 1, 2, 3}, reader -> reader.text("n", 2), 1, "n of 3 bytes is longer than 2");
        refused(new byte[] {9, 0, 1, -1}, reader -> reader.text("n", 2), 3, "n is not UTF-8");
        refused(new byte[] {9, 1, 2}, FieldReader::end, 1, "2 bytes follow the last field");
    }

    @Test
    void aPartEndsWhereItWasSaidTo() throws Exception {
        FieldReader reader = new FieldReader(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5}), "file", OFFSET);
        reader.u8("a");
        FieldReader part = reader.part("p", 3);

        assertThat(part.take("b", 2)).containsExactly(2, 3);
        assertThatThrownBy(() -> part.u16("c")).hasMessageContaining("offset " + (OFFSET + 4) + ": ends inside c");
        assertThat(reader.rest()).containsExactly(5);
    }

    private static void refused(byte[] bytes, Read read, int at, String problem) {
        FieldReader reader = new FieldReader(ByteBuffer.wrap(bytes), "file", OFFSET);
        assertThatThrownBy(() -> {
                    reader.u8("first");
                    read.from(reader);
                })
                .isInstanceOf(DamagedDataException.class)
                .hasMessageStartingWith("file: damaged at offset " + (OFFSET + at) + ": ")
                .hasMessageEndingWith(problem);
    }
}
