// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.server.cli.option.ScopeOptions;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.wire.VerifyScope;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class OptionsTest {

    @Test
    void aSnapshotIsNamedWithOrWithoutItsId() {
        assertThat(SnapshotChoice.parse("vm").id()).isEmpty();
        assertThat(SnapshotChoice.parse("vm@latest").id()).isEmpty();
        assertThat(SnapshotChoice.parse("vm@12").id()).isEqualTo(OptionalLong.of(12));
        assertThat(SnapshotChoice.parse("vm-1.a_b").name().value()).isEqualTo("vm-1.a_b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "@", "vm@", "vm@-1", "../etc", "a b", "-x", "vm@1@2"})
    void otherSnapshotNamesAreRefused(String text) {
        assertThatThrownBy(() -> SnapshotChoice.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    private static ScopeOptions.Chosen scope(String... words) {
        Clock clock = Clock.fixed(Instant.parse("2026-06-01T12:00:00Z"), ZoneOffset.UTC);
        return CommandLine.populateCommand(new ScopeOptions(), words).choose(clock);
    }

    @Test
    void aPartOfEverythingIsChosenByShareSeedAndTime() {
        assertThat(scope("--sample", "0.5", "--seed", "-7").scope())
                .isEqualTo(new VerifyScope(Instant.EPOCH, 5000, -7));
        assertThat(scope("--sample", "100").scope().millionths()).isEqualTo(VerifyScope.ALL);
        assertThat(scope("--sample", "5").words()).matches("a sample of 5 % \\(repeat it with --seed \\d+\\)");
        assertThat(scope("--sample", "5").scope().seed())
                .isNotEqualTo(scope("--sample", "5").scope().seed());
        String[][] times = {
            {"36h", "2026-05-31T00:00:00Z"},
            {"7d", "2026-05-25T12:00:00Z"},
            {"999999d", "1970-01-01T00:00:00Z"},
            {"2026-05-31", "2026-05-31T00:00:00Z"},
            {"2026-05-31T03:00", "2026-05-31T03:00:00Z"},
            {"2026-05-31T03:00:05.25Z", "2026-05-31T03:00:05.250Z"},
            {"2026-05-31T03:00+02:00", "2026-05-31T01:00:00Z"}
        };
        for (String[] time : times) {
            assertThat(scope("--since", time[0]).scope().since()).isEqualTo(Instant.parse(time[1]));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--sample 0",
                "--sample 100.1",
                "--sample -5",
                "--sample 0.00001",
                "--sample 1e9",
                "--seed 3",
                "--since yesterday",
                "--since 7",
                "--since 2026-02-31",
                "--since 2026-05-31T25:00",
                "--since 2027-01-01"
            })
    void otherPartsAreRefused(String words) {
        assertThatThrownBy(() -> scope(words.split(" ")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(words.split(" ")[0]);
    }
}
