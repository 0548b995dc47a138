// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.coding;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import io.shredder.engine.ShredderException;
import io.shredder.engine.coding.ErasureCode.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What would end the process if the coder went astray in memory: in a JVM of its own, which must say "done". */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CoderProcessTest {

    @TempDir
    Path folder;

    /** Direct shards of nearly 2 GiB, which take no memory, to an array of that length. */
    @InTurn(days = 3)
    @Test
    void shardsMayBeAsLongAsAnArray() throws Exception {
        assertEndsWell(HugeShards.class, "-Xmx3g", "-Xmn64m");
    }

    @Test
    void positionsThatMoveMeanwhileNeverLeadOutOfTheBuffers() throws Exception {
        assertEndsWell(MovingPositions.class, "-Xmx256m");
    }

    private void assertEndsWell(Class<?> program, String... heap) throws Exception {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=" + folder.resolve("crash")));
        words.addAll(List.of(heap));
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName(), folder.toString()));
        Path out = folder.resolve("out");
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        try {
            int exitCode = process.waitFor();
            assertThat(Files.readString(out)).isEqualTo("done\n");
            assertThat(exitCode).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    /** A mapping of a file of zeros that takes no room. */
    private static ByteBuffer mapped(Path file, int bytes) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(MapMode.READ_WRITE, 0, bytes);
        }
    }

    /** The parity of one shard is that shard. */
    static final class HugeShards {

        /** No array is longer. */
        private static final int BYTES = Integer.MAX_VALUE - 2;

        private HugeShards() {}

        public static void main(String[] args) throws Exception {
            ByteBuffer data = mapped(Path.of(args[0]).resolve("shard"), BYTES);
            ByteBuffer parity = ByteBuffer.allocate(BYTES);
            data.put(BYTES - 1, (byte) 77);
            try (ErasureCoder coder = ErasureCoder.create(new ErasureCode(Kind.XOR, 1, 1))) {
                coder.encode(new ByteBuffer[] {data}, new ByteBuffer[] {parity});
            }
            if (parity.get(BYTES - 1) == 77) {
                System.out.println("done");
            }
        }
    }

    /** One thread codes, and another moves the position of what it codes to and fro. */
    static final class MovingPositions {

        private static final int BYTES = 8 << 20;
        private static final int ROUNDS = 300;

        private MovingPositions() {}

        public static void main(String[] args) throws Exception {
            ByteBuffer[] data = {mapped(Path.of(args[0]).resolve("shard"), BYTES), ByteBuffer.allocate(BYTES)};
            ByteBuffer[] parity = {ByteBuffer.allocateDirect(BYTES)};
            Thread mover = new Thread(
                    () -> {
                        while (!Thread.currentThread().isInterrupted()) {
                            data[0].position(BYTES - 1);
                            parity[0].position(BYTES - 1);
                            LockSupport.parkNanos(50_000);
                            data[0].position(0);
                            parity[0].position(0);
                            LockSupport.parkNanos(50_000);
                        }
                    },
                    "mover");
            mover.start();
            try (ErasureCoder coder = ErasureCoder.create(new ErasureCode(Kind.RS, 2, 1))) {
                int coded = 0;
                for (int round = 0; round < ROUNDS; round++) {
                    coded += isCoded(coder, data, parity) ? 1 : 0;
                }
                System.out.println(coded == 0 ? "all refused" : "done");
            } finally {
                mover.interrupt();
                mover.join();
            }
        }

        private static boolean isCoded(ErasureCoder coder, ByteBuffer[] data, ByteBuffer[] parity)
                throws ShredderException {
            try {
                coder.encode(data, parity);
                return true;
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                return false;
            }
        }
    }
}
