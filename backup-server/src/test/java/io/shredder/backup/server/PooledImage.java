// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;

/**
 * An image of segments that are taken from a pool. So bytes come back which a prune has made garbage, and what a
 * collection is about to free is needed again. In some segments one page is written over, so that backups point to
 * parts of chunks. One thread.
 */
final class PooledImage {

    private static final int SEGMENTS = 36;
    private static final int SEGMENT_BYTES = 80 << 10;
    private static final int POOL = 150;
    private static final int ZEROS = 0;
    private static final int PAGE_BYTES = 4096;
    private static final int PAGES = SEGMENT_BYTES / PAGE_BYTES;
    private static final int PATCHES = 3 * PAGES;
    private static final int NO_PATCH = 0;

    private final Path file;
    private final int[] numbers = new int[SEGMENTS];
    /** Which page of each segment is another, and which other. */
    private final int[] patches = new int[SEGMENTS];

    private final long poolSeed;
    private String digest = "";

    PooledImage(Path file, long poolSeed, Random random) throws IOException {
        this.file = file;
        this.poolSeed = poolSeed;
        Arrays.setAll(numbers, i -> random.nextInt(POOL));
        write();
    }

    /** Takes other segments, or writes over a page, in some places. */
    void change(Random random) throws IOException {
        int most = random.nextBoolean() ? 2 : SEGMENTS / 2; // So that lists share some pages, or hardly any.
        for (int i = 1 + random.nextInt(most); i > 0; i--) {
            if (random.nextBoolean()) {
                numbers[random.nextInt(SEGMENTS)] = random.nextInt(POOL);
            } else {
                patches[random.nextInt(SEGMENTS)] = random.nextInt(PATCHES);
            }
        }
        write();
    }

    private void write() throws IOException {
        byte[] bytes = new byte[SEGMENTS * SEGMENT_BYTES];
        byte[] segment = new byte[SEGMENT_BYTES];
        for (int i = 0; i < SEGMENTS; i++) {
            if (numbers[i] != ZEROS) {
                new Random(poolSeed + numbers[i]).nextBytes(segment);
                System.arraycopy(segment, 0, bytes, i * SEGMENT_BYTES, SEGMENT_BYTES);
            }
            if (patches[i] != NO_PATCH) {
                byte[] page = new byte[PAGE_BYTES];
                new Random(poolSeed - patches[i]).nextBytes(page);
                System.arraycopy(page, 0, bytes, i * SEGMENT_BYTES + patches[i] % PAGES * PAGE_BYTES, PAGE_BYTES);
            }
        }
        Files.write(file, bytes);
        digest = HexFormat.of().formatHex(sha256().digest(bytes));
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    Path file() {
        return file;
    }

    /** SHA-256 of its bytes. */
    String digest() {
        return digest;
    }
}
