// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Journal.Limits WIDE = new Journal.Limits(1 << 20, 4, 2);
    private static final Journal.Limits NARROW = new Journal.Limits(100, 4, 2);

    @TempDir
    private Path folder;

    private static ObjectNode body(int value) {
        return JSON.createObjectNode().put("value", value).put("text", "grün");
    }

    private Journal open(Journal.Limits limits) throws IOException {
        return Journal.open(folder, "test", limits, unused -> {});
    }

    private Path file(long first) {
        return folder.resolve(String.format("test-%016d.log", first));
    }

    private static List<Integer> values(DaemonHistory.Lines lines) {
        return lines.lines().stream()
                .map(line -> line.body().path("value").asInt())
                .toList();
    }

    private void write(Journal.Limits limits, int from, int to) throws IOException {
        try (Journal journal = open(limits)) {
            for (int value = from; value <= to; value++) {
                assertThat(journal.append(body(value))).isEqualTo(value);
            }
        }
    }

    @Test
    void aLineHasTheBytesOfItsDocument() throws IOException {
        write(WIDE, 1, 1);
        assertThat(file(1)).hasContent("bd0a30f9 1 {\"value\":1,\"text\":\"grün\"}");
    }

    @Test
    void newestComeFirstPageByPageAlsoOverARestart() throws IOException {
        write(WIDE, 1, 5);
        write(WIDE, 6, 7);
        List<JournalLine> replayed = new ArrayList<>();
        try (Journal journal = Journal.open(folder, "test", WIDE, replayed::add)) {
            assertThat(replayed).extracting(JournalLine::number).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
            DaemonHistory.Lines first = journal.newest(Long.MAX_VALUE, 3, line -> true);
            assertThat(values(first)).containsExactly(7, 6, 5);
            DaemonHistory.Lines second =
                    journal.newest(first.before().orElseThrow(), 3, line -> line.number() % 2 == 0);
            assertThat(values(second)).containsExactly(4, 2);
            assertThat(second.before()).isEqualTo(OptionalLong.empty());
            assertThat(values(journal.newest(2, 3, line -> true))).containsExactly(1);
            assertThat(journal.newest(1, 3, line -> true).lines()).isEmpty();
        }
    }

    @Test
    void oldFilesGoAndOnePageLooksThroughFewAndSaysWhereToGoOn() throws IOException {
        write(NARROW, 1, 40);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).hasSize(4);
        }
        try (Journal journal = open(NARROW)) {
            DaemonHistory.Lines none = journal.newest(Long.MAX_VALUE, 10, line -> false);
            assertThat(none.lines()).isEmpty();
            assertThat(none.before()).isPresent();
            List<Integer> all = new ArrayList<>();
            OptionalLong before = OptionalLong.of(Long.MAX_VALUE);
            while (before.isPresent()) {
                DaemonHistory.Lines page = journal.newest(before.getAsLong(), 10, line -> true);
                all.addAll(values(page));
                before = page.before();
            }
            assertThat(all.get(0)).isEqualTo(40);
            assertThat(all).hasSizeBetween(6, 16).doesNotHaveDuplicates();
        }
    }

    @Test
    void whereverACrashTearsTheLastLineItIsCutOffAndItsNumberComesAgain() throws IOException {
        write(WIDE, 1, 3);
        byte[] whole = Files.readAllBytes(file(1));
        int lastFrom = new String(whole, StandardCharsets.ISO_8859_1).lastIndexOf('\n', whole.length - 2) + 1;
        for (int length = lastFrom; length < whole.length; length++) {
            Files.write(file(1), Arrays.copyOf(whole, length));
            try (Journal journal = open(WIDE)) {
                assertThat(values(journal.newest(Long.MAX_VALUE, 9, line -> true)))
                        .containsExactly(2, 1);
                assertThat(journal.append(body(33))).isEqualTo(3);
                assertThat(values(journal.newest(Long.MAX_VALUE, 9, line -> true)))
                        .containsExactly(33, 2, 1);
                assertThat(journal.damage()).isEmpty();
            }
        }
    }

    @Test
    void everyFlippedBitBeforeTheLastLineIsNamedWithItsLineAndTheOthersAreRead() throws IOException {
        write(WIDE, 1, 3);
        byte[] whole = Files.readAllBytes(file(1));
        int second = new String(whole, StandardCharsets.ISO_8859_1).indexOf('\n') + 1;
        for (int bit = 0; bit < (second - 1) * 8; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            Files.write(file(1), flipped);
            try (Journal journal = open(WIDE)) {
                assertThat(values(journal.newest(Long.MAX_VALUE, 9, line -> true)))
                        .containsExactly(3, 2);
                assertThat(journal.damage().get(0)).contains(file(1) + " is damaged at offset 0");
                assertThat(journal.append(body(4))).isEqualTo(4);
            }
        }
    }

    @Test
    void damageAtTheEndOfAnOlderFileIsNamed() throws IOException {
        write(NARROW, 1, 8);
        try (Stream<Path> files = Files.list(folder)) {
            Path oldest = files.sorted().findFirst().orElseThrow();
            Files.writeString(oldest, "half a li", StandardOpenOption.APPEND);
            try (Journal journal = open(NARROW)) {
                OptionalLong before = OptionalLong.of(Long.MAX_VALUE);
                List<Integer> all = new ArrayList<>();
                while (before.isPresent()) {
                    DaemonHistory.Lines page = journal.newest(before.getAsLong(), 10, line -> true);
                    all.addAll(values(page));
                    before = page.before();
                }
                assertThat(all).containsExactly(8, 7, 6, 5, 4, 3, 2, 1);
                assertThat(journal.damage()).singleElement().asString().contains(oldest + " is damaged at offset ");
            }
        }
    }
}
