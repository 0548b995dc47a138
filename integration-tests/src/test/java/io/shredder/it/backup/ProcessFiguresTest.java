// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the kernel tells of processes, asked about this one. */
class ProcessFiguresTest {
    private static final long THIS = ProcessHandle.current().pid();
    private static final int BYTES = 64 << 20;

    @Test
    void memoryTouchedWhileWatchedCountsAfterItIsGivenBack() throws Exception {
        try (PeakMemory memory = PeakMemory.of(List.of(THIS))) {
            long before = memory.bytes();
            var touched = new ArrayList<byte[]>();
            for (int i = 0; i < BYTES; i += 1 << 20) {
                byte[] piece = new byte[1 << 20];
                Arrays.fill(piece, (byte) 1);
                touched.add(piece);
            }
            assertThat(touched).hasSize(64);
            assertThat(memory.bytes()).isGreaterThanOrEqualTo(before).isGreaterThan(BYTES);
        }
    }

    @Test
    void timeIsTheStagesWhoseThreadsUsedIt() throws Exception {
        try (StageTimes times = StageTimes.of(List.of(THIS))) {
            var worker = new Thread(ProcessFiguresTest::compute, "backup-forward-1");
            worker.start();
            worker.join();
            assertThat(times.seconds().get("compress and seal")).isGreaterThan(0.1);
            assertThat(times.seconds().get("record")).isZero();
        }
    }

    @Test
    void timeOfAProcessThatHasEndedIsItsParents() throws Exception {
        double before = ProcessorTime.secondsOfEnded();
        Process busy = new ProcessBuilder("sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done").start();
        long process = busy.pid();
        assertThat(busy.waitFor()).isZero();
        assertThat(ProcessorTime.secondsOfEnded() - before).isPositive();
        assertThat(ProcessorTime.seconds(process)).isZero();
        assertThat(ProcessorTime.seconds(THIS)).isPositive();
    }

    @Test
    void coresAreReadAsTheKernelListsThem() throws Exception {
        assertThat(ProcessorSet.parse("0-2,5,7-8").cores()).containsExactly(0, 1, 2, 5, 7, 8);
        assertThat(ProcessorSet.parse("0-2,5").first(2).prefix()).containsExactly("taskset", "-c", "0,1");
        assertThat(ProcessorSet.parse("0-2,5").secondHalf().cores()).containsExactly(2, 5);
        assertThat(ProcessorSet.parse("4").secondHalf().cores()).containsExactly(4);
        assertThat(ProcessorSet.all().count()).isPositive();
        assertThatThrownBy(() -> ProcessorSet.parse("3").first(2)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aProgramHeldToACoreSeesNoOther() throws Exception {
        var words = new ArrayList<>(ProcessorSet.all().first(1).prefix());
        words.add("nproc");
        Process asked = new ProcessBuilder(words).start();
        assertThat(new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("1\n");
    }

    @Test
    void aProgramThatRunsIsHeldToACoreWithAllItsThreads() throws Exception {
        Process asleep = new ProcessBuilder("sleep", "60").start();
        try {
            ProcessorSet one = ProcessorSet.all().first(1);
            one.hold(asleep.pid());
            assertThat(Files.readAllLines(Path.of("/proc/" + asleep.pid() + "/status")))
                    .contains("Cpus_allowed_list:\t" + one.cores().get(0));
        } finally {
            asleep.destroy();
        }
        assertThat(asleep.waitFor()).isPositive();
        assertThatThrownBy(() -> ProcessorSet.all().hold(asleep.pid())).hasMessageContaining("taskset");
    }

    /** For half a second of this thread's CPU time. */
    private static void compute() {
        var bean = ManagementFactory.getThreadMXBean();
        long sum = 0;
        while (bean.getCurrentThreadCpuTime() < 500_000_000) {
            sum += System.nanoTime();
        }
        assertThat(sum).isNotZero();
    }
}
