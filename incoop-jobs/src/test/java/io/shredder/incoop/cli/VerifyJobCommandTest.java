// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VerifyJobCommandTest {

    @Test
    void oneModeAndAProgramAreNeeded() {
        assertThat(IncoopMain.run("verify", "jar", "app.jar")).isEqualTo(2);
        assertThat(IncoopMain.run("verify", "--full", "--cold", "jar", "app.jar"))
                .isEqualTo(2);
        assertThat(IncoopMain.run("verify", "--full")).isEqualTo(2);
        assertThat(IncoopMain.run("verify", "--full", "jar")).isEqualTo(2);
        assertThat(IncoopMain.run("verify", "--full", "app.jar", "Main")).isEqualTo(2);
    }

    @Test
    void aSampleIsAFraction() {
        assertThat(IncoopMain.run("verify", "--sample", "1.5", "jar", "app.jar"))
                .isEqualTo(2);
        assertThat(IncoopMain.run("verify", "--sample", "few", "jar", "app.jar"))
                .isEqualTo(2);
    }

    @Test
    void aProgramThatCannotBeRunIsNoProof() {
        assertThat(IncoopMain.run("verify", "--full", "jar", "no-such.jar", "-full"))
                .isEqualTo(1);
    }
}
