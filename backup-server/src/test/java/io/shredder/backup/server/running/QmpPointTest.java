// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With a QEMU that answers late, and whose jobs end by themselves. */
@Timeout(60)
class QmpPointTest {

    private static final MachineAccess ACCESS = new MachineAccess(Optional.empty(), Freezing.NEVER, Path.of("/tmp"));

    @TempDir
    private Path folder;

    private FakeQmp qemu;
    private QmpConnection qmp;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/qemu-img")), "qemu-img is not there: tools/packages.sh open");
        qemu = new FakeQmp(folder.resolve("qmp"));
        qmp = QmpConnection.open(folder.resolve("qmp"), Duration.ofMillis(500));
    }

    @AfterEach
    void stop() throws IOException {
        if (qemu != null) {
            qmp.close();
            qemu.close();
        }
    }

    private QmpPoint point() throws IOException {
        QmpDisk disk = new QmpDisk("vda", "node0", 1 << 20, true, List.of());
        QmpPoint.Held held =
                new QmpPoint.Held(new DiskPlan("vda", "0123456789ab", Optional.empty()), disk, QmpLeftOvers.newId());
        return new QmpPoint(
                qmp,
                List.of(held),
                new MachinePoint.Moment("m1", Duration.ofDays(30), Freezing.NEVER),
                MachineScratch.make(folder, Optional.empty()));
    }

    @Test
    void jobsThatBeganAfterNobodyWaitedAnyMoreAreEnded() throws Exception {
        qemu.slow("transaction", 1200);
        QmpPoint point = point();
        assertThatThrownBy(() -> point.take(ACCESS)).hasMessageContaining("no answer to transaction in time");
        point.close();
        while (qemu.asked().stream().noneMatch(each -> each.startsWith("blockdev-del"))) {
            Thread.sleep(10); // It does what it was asked in order, however late.
        }
        assertThat(qemu.asked()).contains("transaction");
        assertThat(qemu.jobs()).isEmpty();
    }

    @Test
    void whatNeverBeganIsNotEnded() throws Exception {
        qemu.bad("transaction", "Bitmap already exists");
        QmpPoint point = point();
        assertThatThrownBy(() -> point.take(ACCESS)).hasMessageContaining("Bitmap already exists");
        point.close();
        assertThat(qemu.asked()).noneMatch(each -> each.startsWith("block-job-cancel"));
    }

    @Test
    void aDiskThatWasLetGoOfWhileItWasReadFails() throws Exception {
        try (QmpPoint point = point()) {
            point.take(ACCESS);
            assertThatCode(() -> point.check("vda")).doesNotThrowAnyException();
            qemu.endJobs();
            assertThatThrownBy(() -> point.check("vda"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("disk vda of qmp:")
                    .hasMessageContaining("was let go of while it was read");
        }
    }
}
