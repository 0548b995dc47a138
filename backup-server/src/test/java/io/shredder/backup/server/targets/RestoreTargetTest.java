// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.targets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every target keeps that keeps anything: any image, in any parts, byte for byte. */
class RestoreTargetTest {

    private static final int MANY_PARTS = 12;
    private static final int LONGEST_PART = 3 * ImageFile.LEAST_DIRECT_BYTES;

    @TempDir
    private Path folder;

    private enum Kind {
        FILE {
            @Override
            RestoreTarget open(Path file) throws IOException {
                return new FileTarget(file, false, false, 2);
            }
        },
        MAPPED_FILE {
            @Override
            RestoreTarget open(Path file) throws IOException {
                return new FileTarget(
                        file,
                        false,
                        false,
                        temporary -> ImageFile.create(temporary, List.of(WriteTrial.Way.MAPPED), 1));
            }
        },
        DEVICE {
            @Override
            RestoreTarget open(Path file) throws IOException {
                Files.write(file, new byte[] {9, 9, 9});
                return DeviceTarget.to(file);
            }
        },
        PIPE {
            @Override
            RestoreTarget open(Path file) throws IOException {
                return new PipeTarget(FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
            }
        };

        abstract RestoreTarget open(Path file) throws IOException;
    }

    /** A part of an image, or a run of zeros that is known to be one. */
    private record Part(long position, byte[] bytes, boolean knownZeros, int memoryOffset) {
        void write(RestoreTarget target) throws IOException {
            if (knownZeros) {
                target.writeZeros(position, bytes.length);
            } else {
                ByteBuffer memory = ImageFile.aligned(memoryOffset + bytes.length + 5);
                memory.position(memoryOffset).put(bytes).flip().position(memoryOffset);
                target.write(position, memory);
            }
        }
    }

    private static List<Part> image(Random random) {
        List<Part> parts = new ArrayList<>();
        long position = 0;
        for (int count = random.nextInt(MANY_PARTS); count > 0; count--) {
            boolean zeros = random.nextInt(4) == 0;
            byte[] bytes = new byte[random.nextInt(random.nextInt(3) == 0 ? LONGEST_PART : 30_000)];
            if (!zeros) {
                fill(bytes, random);
            }
            boolean asInTheFile = random.nextInt(3) > 0;
            int block = ImageFile.BLOCK_BYTES;
            parts.add(new Part(position, bytes, zeros, asInTheFile ? (int) (position % block) : random.nextInt(block)));
            position += bytes.length;
        }
        return parts;
    }

    private static void fill(byte[] bytes, Random random) {
        int from = random.nextInt(bytes.length + 1);
        int to = random.nextBoolean() ? bytes.length : Math.min(bytes.length, from + random.nextInt(9000));
        byte[] drawn = new byte[to - from];
        random.nextBytes(drawn);
        System.arraycopy(drawn, 0, bytes, from, drawn.length);
    }

    private static byte[] joined(List<Part> parts) {
        ByteBuffer joined = ByteBuffer.allocate(parts.size() * LONGEST_PART);
        parts.forEach(part -> joined.put(part.bytes()));
        return Arrays.copyOf(joined.array(), joined.position());
    }

    private static void write(Part part, RestoreTarget target) {
        try {
            part.write(target);
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void anyMixOfBytesAndZerosIsWrittenExactly(Kind kind) throws IOException {
        writeAnyMix(kind, folder);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void soItIsOnAFileSystemInMemory(Kind kind) throws IOException {
        Path memory = Path.of("/dev/shm");
        assumeTrue(Files.isWritable(memory), memory + " is not there: a file system in memory is not tried");
        Path inMemory = Files.createTempDirectory(memory, "restore-target-test");
        try {
            writeAnyMix(kind, inMemory);
        } finally {
            Files.delete(inMemory);
        }
    }

    private static void writeAnyMix(Kind kind, Path folder) throws IOException {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 100; round++) {
            List<Part> image = image(random);
            byte[] expected = joined(image);
            Path file = folder.resolve("f");
            try (RestoreTarget target = kind.open(file)) {
                if (kind == Kind.FILE && random.nextBoolean()) {
                    target.expect(expected.length);
                }
                if (target.takesAnyOrder()) {
                    List<Part> shuffled = new ArrayList<>(image);
                    Collections.shuffle(shuffled, random);
                    CompletableFuture.allOf(shuffled.stream()
                                    .map(part -> CompletableFuture.runAsync(() -> write(part, target)))
                                    .toArray(CompletableFuture[]::new))
                            .join();
                } else {
                    image.forEach(part -> write(part, target));
                }
                target.commit(expected.length);
            }
            byte[] found = Files.readAllBytes(file);
            assertThat(kind == Kind.DEVICE ? Arrays.copyOf(found, expected.length) : found)
                    .as("round " + round)
                    .isEqualTo(expected);
            assertThat(folder.toFile().list())
                    .containsExactly(file.getFileName().toString());
            Files.delete(file);
        }
    }
}
