// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.it.process.Children;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a {@link ServerDisk} is made of, each on little data; the whole of it needs downloads. */
class ServerDiskPartsTest {
    private static final int BLOCK = Ext4Image.BLOCK_BYTES;

    @TempDir
    Path folder;

    @Test
    void aFileIsOverwrittenInTheImagesBlocksWhereItLies() throws Exception {
        Path tree = Files.createDirectories(folder.resolve("tree"));
        byte[] content = new byte[40 * BLOCK];
        new Random(1).nextBytes(content);
        Path before = Files.write(tree.resolve("file"), content);
        content[3 * BLOCK + 5]++;
        content[21 * BLOCK]++;
        Path after = Files.write(folder.resolve("after"), content);
        try (var children = new Children()) {
            Ext4Image first = Ext4Image.of(tree, folder.resolve("1.img"), 8 << 20, folder.resolve("logs"), children);
            Ext4Image second = first.copyTo(folder.resolve("2.img"));
            second.overwrite("/file", before, after);
            second.check();

            assertThat(ChangedBlocks.between(first.file(), second.file()).changed())
                    .isEqualTo(2);
            second.change(List.of("dump /file " + folder.resolve("read")));
            assertThat(folder.resolve("read")).hasSameBinaryContentAs(after);
            assertThatThrownBy(() -> second.change(List.of("rm /absent"))).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> second.overwrite("/file", before, folder.resolve("2.img")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("length");
        }
    }

    @Test
    void rowsAreOverwrittenWithinTheDatabasesPages() throws Exception {
        byte[] text = "All work and no play makes a text for rows of a table.\n"
                .repeat(40_000)
                .getBytes(StandardCharsets.UTF_8);
        Path before = folder.resolve("before.sqlite");
        Path after = folder.resolve("after.sqlite");
        try (var children = new Children()) {
            var rows = new RowsDatabase(folder, folder.resolve("logs"), children, new Random(2));
            rows.create(before, new ByteArrayInputStream(text), 1_000_000);
            Files.copy(before, after);
            rows.update(after, new ByteArrayInputStream(text), 1, 100, 20);
        }
        assertThat(Files.size(after)).isEqualTo(Files.size(before)).isGreaterThan(1_000_000);
        assertThat(ChangedBlocks.between(before, after).changed()).isBetween(50L, 200L);
    }

    @Test
    void aLogGoesOnWithWholeLinesOfRequestsForFilesThatAreThere() throws Exception {
        Path file = folder.resolve("access.log");
        var log = new AccessLog(List.of("usr/bin/ls", "usr/bin/cat"), Instant.EPOCH, new Random(3));
        log.append(file, 2000);
        log.append(file, 2000);

        assertThat(Files.size(file)).isBetween(4000L, 4600L);
        assertThat(Files.readAllLines(file))
                .allMatch(
                        line -> line.matches(
                                "10(\\.\\d+){3} - - \\[01/Jan/1970:00:[^]]+] \"GET /usr/bin/(ls|cat) HTTP/1\\.1\" (200|404) \\d+ .*\""));
    }

    @Test
    void blocksAreComparedWhereTheyLieAndZerosAreCounted() throws Exception {
        byte[] content = new byte[3 * BLOCK + 10];
        content[BLOCK] = 1;
        Path first = Files.write(folder.resolve("first"), content);
        content[2 * BLOCK + 7] = 2;
        Path second = Files.write(folder.resolve("second"), content);

        assertThat(ChangedBlocks.between(first, first)).isEqualTo(new ChangedBlocks(4, 3, 0));
        assertThat(ChangedBlocks.between(first, second)).isEqualTo(new ChangedBlocks(4, 3, 1));
        Path longer = Files.write(folder.resolve("longer"), new byte[5 * BLOCK]);
        assertThat(ChangedBlocks.between(second, longer)).isEqualTo(new ChangedBlocks(5, 2, 4));
    }
}
