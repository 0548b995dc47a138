// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

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

    private static final int LONGEST_PART = 30_000;

    @TempDir
    private Path folder;

    private enum Kind {
        FILE {
            @Override
            RestoreTarget open(Path file) throws IOException {
                return new FileTarget(file, false, false);
            }
        },
        DEVICE {
            @Override
            RestoreTarget open(Path file) throws IOException {
                Files.write(file, new byte[] {9, 9, 9});
                return new DeviceTarget(
                        file, FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE));
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
    private record Part(long position, byte[] bytes, boolean knownZeros) {
        void write(RestoreTarget target) throws IOException {
            if (knownZeros) {
                target.writeZeros(position, bytes.length);
            } else {
                ByteBuffer memory = ByteBuffer.allocateDirect(5 + bytes.length + 5);
                memory.position(5).put(bytes).position(5).limit(5 + bytes.length);
                target.write(position, memory);
            }
        }
    }

    private static List<Part> image(Random random) {
        List<Part> parts = new ArrayList<>();
        long position = 0;
        for (int count = random.nextInt(12); count > 0; count--) {
            boolean zeros = random.nextInt(4) == 0;
            byte[] bytes = new byte[random.nextInt(LONGEST_PART)];
            if (!zeros) {
                int from = random.nextInt(bytes.length + 1);
                int to = random.nextBoolean() ? bytes.length : Math.min(bytes.length, from + random.nextInt(9000));
                for (int i = from; i < to; i++) {
                    bytes[i] = (byte) random.nextInt();
                }
            }
            parts.add(new Part(position, bytes, zeros));
            position += bytes.length;
        }
        return parts;
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
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 100; round++) {
            List<Part> image = image(random);
            byte[] expected = joined(image);
            Path file = folder.resolve("f" + round);
            try (RestoreTarget target = kind.open(file)) {
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
        }
        assertThat(folder.toFile().list()).hasSize(100);
    }
}
