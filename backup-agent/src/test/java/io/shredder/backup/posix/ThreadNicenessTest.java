// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ThreadNicenessTest {

    private static final int MOST = 19;

    /** The nice value of the calling thread: the 19th field of its stat (proc(5)), the 17th behind the name. */
    private static int nice() throws IOException {
        String stat = Files.readString(Path.of("/proc/thread-self/stat"));
        return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16]);
    }

    @Test
    void onlyTheThreadThatAsksGivesWay() throws Exception {
        int before = nice();
        CompletableFuture<Integer> after = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                ThreadNiceness.giveWay();
                after.complete(nice());
            } catch (IOException | RuntimeException e) {
                after.completeExceptionally(e);
            }
        });
        thread.start();
        assertThat(after.get()).isEqualTo(Math.min(MOST, before + 5));
        thread.join();
        assertThat(nice()).isEqualTo(before);
    }
}
