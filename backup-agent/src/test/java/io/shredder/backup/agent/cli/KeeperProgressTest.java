// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KeeperProgressTest {

    @Test
    void progressHasARateAndWhatIsLeft() {
        assertThat(KeeperProgress.line("checked", 3_000_000_000L, 24_000_000_000L, 10_000_000_000L))
                .isEqualTo("checked 3.0 of 24.0 GB, 300 MB/s, 1:10 left");
    }
}
