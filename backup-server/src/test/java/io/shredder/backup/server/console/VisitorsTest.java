// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.monitoring.PageRequest;
import io.shredder.backup.server.config.ConsoleConfig;
import io.shredder.backup.wire.HostPort;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VisitorsTest {

    private final Visitors visitors =
            new Visitors(new ConsoleConfig(HostPort.parse("127.0.0.1:7425"), Optional.empty(), Optional.empty()));

    private int status(Map<String, String> headers) {
        return visitors.refusal(new PageRequest("/", Map.of(), headers, Optional.empty()))
                .map(answer -> answer.status())
                .orElse(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:7425", "127.0.0.1:7425", "127.1.2.3", "[::1]:7425"})
    void whoNamesThisMachineIsLetIn(String host) {
        assertThat(status(Map.of("host", host))).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "evil.example",
                "evil.example:7425",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "10.0.0.1",
                "localhost:7425:1",
                "localhost@evil.example",
                "[::2]",
                "127.0.0.1:7425 evil"
            })
    void aNameThatWasMadeToMeanThisMachineIsNot(String host) {
        assertThat(status(Map.of("host", host))).isEqualTo(421);
    }

    @Test
    void pagesOfOtherSitesMayLinkHereAndAskForNothing() {
        for (String from : List.of("cross-site", "same-site")) {
            assertThat(status(Map.of("host", "localhost", "sec-fetch-site", from, "sec-fetch-mode", "cors")))
                    .isEqualTo(403);
            assertThat(status(Map.of("host", "localhost", "sec-fetch-site", from, "sec-fetch-mode", "no-cors")))
                    .isEqualTo(403);
            assertThat(status(Map.of("host", "localhost", "sec-fetch-site", from, "sec-fetch-mode", "navigate")))
                    .isEqualTo(200);
        }
        assertThat(status(Map.of("host", "localhost", "sec-fetch-site", "same-origin", "sec-fetch-mode", "cors")))
                .isEqualTo(200);
    }
}
