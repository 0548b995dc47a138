// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.region.StoredRegion;
import io.shredder.chunk.GoldenVectors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records of {@code testvectors/seal-region.json}, whose check sums another program computed. */
class RecordHeadGoldenTest {

    private static final String FILE = "seal-region.json";

    private final JsonNode golden;

    RecordHeadGoldenTest() throws IOException {
        golden = new ObjectMapper()
                .readTree(GoldenVectors.directory().resolve(FILE).toFile());
    }

    private byte[] message(String form) {
        return HexFormat.of().parseHex(golden.get(form).asText());
    }

    private int crc(String magic, String form) {
        return Integer.parseUnsignedInt(
                golden.get("crc of a record").get(magic).get(form).asText(), 16);
    }

    @ParameterizedTest
    @CsvSource({"CHNK, raw, false", "CHNK, compressed, false", "CHNP, raw, true", "CHNP, compressed, true"})
    void aRecordIsReadAndWrittenAsOthersDoIt(String magic, String form, boolean partly) throws IOException {
        byte[] message = message(form);
        int stored = message.length - StoredRegion.FIXED_BYTES;
        ByteBuffer record = ByteBuffer.allocate(RecordHead.BYTES + stored);
        record.put(magic.getBytes(StandardCharsets.US_ASCII)).putInt(stored);
        record.put(message, 0, StoredRegion.FIXED_BYTES).putInt(crc(magic, form));
        record.put(message, StoredRegion.FIXED_BYTES, stored).flip();

        RecordHead head = RecordHead.read(record.duplicate(), FILE, 0);
        assertThat(head.partly()).isEqualTo(partly);
        assertThat(head.storedBytes()).isEqualTo(stored);
        assertThat(head.chunks()).hasSize(golden.get("plains").size());

        StoredRegion region = StoredRegion.read(new BodyReader(ByteBuffer.wrap(message), FILE, 0), stored);
        assertThat(RecordHead.encode(region, partly)).isEqualTo(record.slice(0, RecordHead.BYTES));
    }
}
