// SPDX-License-Identifier: Apache-2.0
package io.shredder.release;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReleaseTest {

    @Test
    void aProgramNamesItsVersionAndTheCommitItWasBuiltFrom() {
        assertThat(Release.line("incoop"))
                .matches("incoop [0-9]+\\.[0-9]+\\.[0-9]+(-SNAPSHOT)? \\(([0-9a-f]{12}\\+?|unknown)\\)");
    }
}
