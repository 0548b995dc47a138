// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SnapshotTextTest {

    @Test
    void sizesAreShownShortly() {
        assertThat(SnapshotText.size(999)).isEqualTo("999 B");
        assertThat(SnapshotText.size(999_999)).isEqualTo("1.0 MB");
        assertThat(SnapshotText.size(1_234_567_890)).isEqualTo("1.2 GB");
    }
}
