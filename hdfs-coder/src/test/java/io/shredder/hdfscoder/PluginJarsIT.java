// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfscoder;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.hdfscoder.OwnJvm.Ended;
import io.shredder.hdfscoder.Units.Memory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jars that an operator copies, beside those of a stock Hadoop and nothing else of the project's. */
class PluginJarsIT {

    private static final Path JARS = Path.of("target", "plugin").toAbsolutePath();

    @TempDir
    private Path folder;

    @Test
    void theyAreAllThatIsNeeded() throws Exception {
        try (Stream<Path> jars = Files.list(JARS)) {
            assertThat(jars.map(jar -> jar.getFileName().toString().replaceAll("-[0-9].*?(?=(-linux.*)?\\.jar)", "")))
                    .containsExactlyInAnyOrder(
                            "hdfs-coder.jar", "shredder-native.jar", "shredder-native-linux-x86_64.jar");
        }
        Ended ended = OwnJvm.run(folder, classPath(), List.of(), Map.of(), Program.class.getName(), List.of());
        assertThat(ended.out()).as(ended.err()).isEqualTo("RS coded\nRS_LEGACY coded\nXOR coded\n");
        assertThat(ended.exitCode()).isZero();
    }

    /** The test's classes hold the program alone. */
    private static String classPath() {
        String hadoop = OwnJvm.classPath(entry -> entry.endsWith("test-classes") || !isOurs(entry));
        assertThat(hadoop).doesNotContain("shredder-native").doesNotContain("hdfs-coder/target/classes");
        return hadoop + ":" + JARS + "/*";
    }

    private static boolean isOurs(String entry) {
        return Stream.of("/target/", "/io/shredder/", "jcuda", "picocli").anyMatch(entry::contains);
    }

    /** Codes a stripe of each codec both ways. */
    static final class Program {

        public static void main(String[] args) throws IOException {
            for (CoderPair pair : CoderPair.values()) {
                for (Memory memory : Memory.values()) {
                    codes(pair, memory);
                }
                System.out.println(pair + " coded");
            }
        }

        private static void codes(CoderPair pair, Memory memory) throws IOException {
            byte[][] units = Units.random(new Random(1), 5, 100_000);
            ByteBuffer[] parity = memory.rooms(1, 100_000);
            pair.ourEncoder(4, 1).encode(memory.holding(Arrays.copyOf(units, 4)), parity);
            units[4] = Units.bytes(parity[0]);
            ByteBuffer[] output = memory.rooms(1, 100_000);
            pair.ourDecoder(4, 1).decode(memory.holding(Units.without(units, 2)), new int[] {2}, output);
            if (!Arrays.equals(Units.bytes(output[0]), units[2])) {
                throw new IOException(pair + " in " + memory + ": other bytes");
            }
        }
    }
}
