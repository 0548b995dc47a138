// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.command;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StandardErrorLoggingTest {

    private static final long TIME = 1_769_860_800_000L;

    private final LoggerContext logback = new LoggerContext();

    private String line(Level level, String message, @Nullable Throwable error, Object... arguments) {
        LoggingEvent event =
                new LoggingEvent("x", logback.getLogger("io.shredder.x"), level, message, error, arguments);
        event.setTimeStamp(TIME);
        event.setThreadName("worker-1");
        return new StandardErrorLogging.TextLayout().doLayout(event);
    }

    @Test
    void aLineHasTimeLevelThreadAndMessage() {
        assertThat(line(Level.WARN, "disk {} is full", null, "a"))
                .isEqualTo("2026-01-31T12:00:00.000Z WARN  [worker-1] disk a is full" + System.lineSeparator());
    }

    @Test
    void anExceptionStandsBelowWithItsTrace() {
        assertThat(line(Level.ERROR, "failed", new IOException("bad sector")).lines())
                .startsWith("2026-01-31T12:00:00.000Z ERROR [worker-1] failed", "java.io.IOException: bad sector")
                .anyMatch(line -> line.startsWith("\tat " + StandardErrorLoggingTest.class.getName()));
    }
}
