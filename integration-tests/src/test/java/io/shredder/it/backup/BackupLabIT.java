// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.it.process.Children;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** This project's programs in the lab, which fails if a restored file differs. */
class BackupLabIT {
    private static final int BYTES = 8 << 20;

    @TempDir
    Path folder;

    @Test
    void restoresAreMeasuredAfterTheBackupsThatTheyNeed() throws Exception {
        byte[] image = new byte[BYTES];
        new Random(4).nextBytes(image);
        Path first = Files.write(folder.resolve("1.img"), image);
        image[BYTES / 2]++;
        Path second = Files.write(folder.resolve("2.img"), image);
        var sources = Sources.link(folder.resolve("sources"), first, second);
        Path work = Files.createDirectories(folder.resolve("work"));
        Path root = Path.of("..").toAbsolutePath().normalize();

        try (var children = new Children()) {
            var lab = new BackupLab(
                    children, work, sources, EnumSet.of(Operation.RESTORE, Operation.LOCAL_RESTORE, Operation.VERIFY));
            Contender.Opener opener = (own, images) -> ShredderContender.open(root, own, images, children);
            Contender.Opener broken = (own, images) -> {
                throw new IOException("is broken");
            };
            Map<String, String> failed = new HashMap<>();
            lab.round(
                    1,
                    Map.of(ShredderContender.NAME, opener, "other", broken),
                    (name, why) -> failed.put(name, why.getMessage()));

            assertThat(failed).containsExactly(Map.entry("other", "is broken"));
            assertThat(lab.measured())
                    .extracting(Measured::operation)
                    .containsExactly(
                            Operation.FIRST,
                            Operation.CHANGED,
                            Operation.RESTORE,
                            Operation.LOCAL_RESTORE,
                            Operation.VERIFY);
            assertThat(lab.measured()).allSatisfy(one -> {
                assertThat(one.seconds()).isPositive();
                // A Java machine at least.
                assertThat(one.peakBytes()).isGreaterThan(50_000_000);
                assertThat(one.repositoryBytes()).isGreaterThan(BYTES);
                assertThat(one.costs().commandCpuSeconds()).isPositive();
                assertThat(one.costs().summary().isObject()).isTrue();
            });
        }
        assertThat(Files.readAllLines(work.resolve("measured.jsonl"))).hasSize(5);
        assertThat(work.resolve(ShredderContender.NAME)).doesNotExist();
    }
}
