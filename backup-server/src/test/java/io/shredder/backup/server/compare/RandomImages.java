// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

import io.shredder.backup.server.source.Extent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Images in memory and what may happen to them. */
final class RandomImages {

    private static final int MOST_BYTES = 3 << 20;

    private RandomImages() {}

    /** One extent, if there are bytes. */
    static List<Extent> all(byte[] image) {
        return image.length == 0 ? List.of() : List.of(new Extent(0, image.length));
    }

    /** Random bytes. */
    static byte[] random(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Runs of random bytes, zeros and one byte again and again. */
    static byte[] layOut(Random random) {
        byte[] image = new byte[random.nextInt(random.nextInt(10) == 0 ? 300 : MOST_BYTES)];
        for (int at = 0; at < image.length; ) {
            int run = Math.min(image.length - at, 1 + random.nextInt(1 << (4 + random.nextInt(17))));
            switch (random.nextInt(4)) {
                case 0 -> Arrays.fill(image, at, at + run, (byte) random.nextInt());
                case 1 -> {
                    // Zeros.
                }
                default -> System.arraycopy(random(random, run), 0, image, at, run);
            }
            at += run;
        }
        return image;
    }

    /** The image changed in one of many ways: cut off, longer, bytes put in, taken out, overwritten. */
    static byte[] edit(Random random, byte[] image) {
        int at = random.nextInt(image.length + 1);
        int count = random.nextInt(1 << (1 + random.nextInt(19)));
        int within = Math.min(count, image.length - at);
        byte[] copy = image.clone();
        switch (random.nextInt(7)) {
            case 0 -> {
                return Arrays.copyOf(image, at);
            }
            case 1 -> {
                return Arrays.copyOf(image, image.length + count);
            }
            case 2 -> {
                return join(image, random(random, count));
            }
            case 3 -> {
                return join(Arrays.copyOf(image, at), random(random, count), tail(image, at));
            }
            case 4 -> {
                return join(Arrays.copyOf(image, at), tail(image, at + within));
            }
            case 5 -> Arrays.fill(copy, at, at + within, (byte) 0);
            default -> System.arraycopy(random(random, within), 0, copy, at, within);
        }
        return copy;
    }

    private static byte[] tail(byte[] image, int from) {
        return Arrays.copyOfRange(image, from, image.length);
    }

    private static byte[] join(byte[]... parts) {
        ByteBuffer joined = ByteBuffer.allocate(
                Arrays.stream(parts).mapToInt(part -> part.length).sum());
        Arrays.stream(parts).forEach(joined::put);
        return joined.array();
    }

    /** All but blocks of zeros. */
    static List<Extent> withoutHoles(byte[] image) {
        List<Extent> extents = new ArrayList<>();
        byte[] zeros = new byte[4096];
        for (int at = 0; at < image.length; at += zeros.length) {
            int length = Math.min(zeros.length, image.length - at);
            if (!Arrays.equals(image, at, at + length, zeros, 0, length)) {
                extents.add(new Extent(at, length));
            }
        }
        return extents;
    }
}
