// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code backup --changes} and {@code --changes-command}. */
class ToldChangesIT {

    private static final int MIB = 1 << 20;

    @TempDir
    private Path folder;

    private Sites sites;
    private final byte[] content = new byte[20 * MIB];

    @BeforeEach
    void start() throws IOException {
        sites = new Sites(folder);
        sites.startAgent();
        new Random(3).nextBytes(content);
    }

    @AfterEach
    void stop() throws IOException {
        sites.close();
    }

    private Sites.Result run(String... options) throws IOException {
        Files.write(folder.resolve("image"), content);
        List<String> words =
                new ArrayList<>(List.of("backup", folder.resolve("image").toString(), "--name", "vm", "--json"));
        words.addAll(List.of(options));
        return sites.here(words.toArray(String[]::new));
    }

    private JsonNode backUp(String... options) throws IOException {
        Sites.Result result = run(options);
        assertThat(result.exitCode()).as(result.err()).isZero();
        return new ObjectMapper().readTree(result.out());
    }

    private void assertRestores() throws IOException {
        Path restored = folder.resolve("restored");
        Files.deleteIfExists(restored);
        assertThat(sites.here("restore", "vm", "--to", restored.toString()).exitCode())
                .isZero();
        assertThat(Arrays.mismatch(Files.readAllBytes(restored), content)).isEqualTo(-1);
    }

    @InTurn(days = 3)
    @Test
    void onlyWhatIsToldToHaveChangedIsReadIfItIsToldFromTheLastSnapshotOn() throws IOException {
        backUp("--point", "a");
        content[5 * MIB]++;
        Path list = Files.writeString(folder.resolve("list"), "Offset Length Type\n5242880 4096 data\n");
        JsonNode told = backUp("--point", "b", "--changes", list.toString(), "--changes-since", "a");
        assertThat(told.path("imageBytesRead").asLong()).isBetween(4096L, (long) MIB);
        assertRestores();
        content[6 * MIB]++;
        JsonNode old = backUp("--point", "c", "--changes", list.toString(), "--changes-since", "a");
        assertThat(old.path("readWholly").asText()).contains("since a", "of b");
        assertRestores();
        content[7 * MIB]++;
        String command = "test $SHREDDER_SINCE-$SHREDDER_POINT = c-d && echo $((7 * 1048576)) 512";
        JsonNode byCommand = backUp("--point", "d", "--changes-command", command);
        assertThat(byCommand.path("imageBytesRead").asLong()).isBetween(512L, (long) MIB);
        assertRestores();
        content[8 * MIB]++;
        assertThat(backUp("--point", "e", "--changes-command", "exit 3")
                        .path("readWholly")
                        .asText())
                .contains("exit code 3");
        assertRestores();
        content[9 * MIB]++;
        backUp();
        assertRestores();
        assertThat(backUp("--point", "f", "--changes-command", "true")
                        .path("readWholly")
                        .asText())
                .contains("without tracked changes");
    }

    @Test
    void optionsThatDoNotGoTogetherAreRefused() throws IOException {
        for (String[] options : List.of(
                new String[] {"--changes-command", "true"},
                new String[] {"--point", "a", "--changes", "list"},
                new String[] {"--point", "a b"},
                new String[] {"--point", "a", "--whole-every", "0s"})) {
            assertThat(run(options).exitCode()).as(String.join(" ", options)).isEqualTo(2);
        }
    }
}
