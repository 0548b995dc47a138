// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.engine.Shredder;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeviceRatesTest {

    @Test
    void eachBackendThatIsThereHasARateAndTheFastestIsNamed() throws Exception {
        StringWriter out = new StringWriter();
        new DeviceRates(new PrintWriter(out, true), Duration.ofMillis(10)).measure();

        for (var backend : Shredder.backends()) {
            String line = "  " + backend.name() + " +[0-9.]+ GB/s";
            assertThat(out.toString().lines().anyMatch(each -> each.matches(line)))
                    .as("%s: %s", backend, out)
                    .isEqualTo(backend.available());
        }
        assertThat(out.toString()).containsPattern("Fastest: --backend [a-z0-9,]+");
    }
}
