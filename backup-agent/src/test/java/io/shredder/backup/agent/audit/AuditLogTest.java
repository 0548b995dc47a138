// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.backup.agent.file.SpaceReserve;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-05-04T03:02:01Z"), ZoneOffset.UTC);

    @TempDir
    private Path folder;

    private AuditLog open() throws IOException {
        return AuditLog.open(folder.resolve("audit.log"), CLOCK, new SpaceReserve(folder.resolve("reserve"), 100));
    }

    @Test
    void aLineHasExactlyTheDocumentedBytes() throws IOException {
        try (AuditLog log = open()) {
            log.record("container-delete", Map.of("container", 7));
        }
        assertThat(Files.readString(folder.resolve("audit.log")))
                .isEqualTo("{\"time\":\"2026-05-04T03:02:01Z\",\"event\":\"container-delete\",\"container\":7}\n");
    }

    @Test
    void linesAreAddedAndAHalfOneIsEndedAndNeverChanged() throws IOException {
        try (AuditLog log = open()) {
            log.record("first", Map.of("name", "a\"b\n"));
        }
        Path file = folder.resolve("audit.log");
        Files.writeString(file, Files.readString(file) + "{\"half");
        try (AuditLog log = open()) {
            log.record("second", Map.of());
        }
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(3);
        assertThat(new ObjectMapper().readTree(lines.get(0)).get("name").asText())
                .isEqualTo("a\"b\n");
        assertThat(lines.get(1)).isEqualTo("{\"half");
        assertThat(lines.get(2)).contains("\"event\":\"second\"");
    }
}
