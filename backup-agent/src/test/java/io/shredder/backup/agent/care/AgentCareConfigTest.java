// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.care;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.shredder.backup.config.ConfigException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class AgentCareConfigTest {

    private static final Path FILE = Path.of("/etc/shredder/agent-care.yaml");

    private static List<String> problems(String text) {
        ConfigException error = catchThrowableOfType(ConfigException.class, () -> AgentCareConfig.parse(FILE, text));
        assertThat(error).as(text).isNotNull();
        return error.problems();
    }

    @Test
    void theExampleIsRead() throws IOException {
        Path example = Path.of("..").resolve("packaging/agent-care.yaml");
        AgentCareConfig config = AgentCareConfig.read(example);
        assertThat(config.collection().orElseThrow().minGarbagePercent()).isEqualTo(20);
        assertThat(config.verification().orElseThrow().allIn()).isEqualTo(Duration.ofDays(30));
        assertThat(config.verification().orElseThrow().bandwidth().isLimited()).isTrue();
    }

    @Test
    void whatIsWrongIsNamedByItsLine() {
        assertThat(problems("version: 2\ngc: {}\n"))
                .anyMatch(line -> line.startsWith(FILE + ":1:10:") && line.contains("use 1"))
                .anyMatch(line -> line.startsWith(FILE + ":2:") && line.contains("'gc.schedule' is missing"));
        assertThat(problems("version: 1\n")).singleElement().asString().contains("there is nothing to do");
        assertThat(problems("version: 1\nquiet: [Mon-Sun]\nverify: {schedule: '0 1 * * *'}\n"))
                .singleElement()
                .asString()
                .contains(":2:8:")
                .contains("nothing would ever run");
        assertThat(problems("version: 1\nquiet: ['01:00-02:00']\nverify: {schedule: '30 1 * * *', all-in: 0d}\n"))
                .anyMatch(line -> line.contains("all times of '30 1 * * *' are quiet"))
                .anyMatch(line -> line.contains("no time at all"));
        assertThat(problems("version: 1\ngc: {schedule: '@daily', min-garbage: 101, scrub: 1, bandwidth: {Mo: 1m}}\n"))
                .anyMatch(line -> line.contains("from 0 to 100"))
                .anyMatch(line -> line.contains("unknown key 'gc.scrub'"))
                .anyMatch(line -> line.contains("'Mo': 'mo' is no day"))
                .anyMatch(line -> line.contains("'gc.bandwidth.otherwise' is missing"));
    }
}
