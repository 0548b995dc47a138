// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.command;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;

/** What {@link Logging} says, for Logback. In code: a file of XML would cost each command a tenth of a second. */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class StandardErrorLogging extends ContextAwareBase implements Configurator {

    @Override
    public ExecutionStatus configure(LoggerContext logback) {
        String level = System.getProperty(Logging.LEVEL_PROPERTY);
        if (level == null || System.getProperty("logback.configurationFile") != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(logback);
        appender.setTarget("System.err");
        appender.setEncoder("json".equals(System.getenv("SHREDDER_LOG_FORMAT")) ? json(logback) : text(logback));
        appender.start();
        Logger root = logback.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(appender);
        logback.getLogger("io.shredder").setLevel(Level.toLevel(level, Level.WARN));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    private static Encoder<ILoggingEvent> text(LoggerContext logback) {
        TextLayout layout = new TextLayout();
        layout.setContext(logback);
        layout.start();
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setContext(logback);
        encoder.setLayout(layout);
        encoder.start();
        return encoder;
    }

    /**
     * One line, and under it the trace of an exception: {@code 2026-01-31T12:00:00.000Z WARN [thread] message}.
     * Logback's own layout of patterns would cost each command a twentieth of a second.
     */
    static final class TextLayout extends LayoutBase<ILoggingEvent> {
        @Override
        public String doLayout(ILoggingEvent event) {
            StringBuilder line = new StringBuilder(200);
            DateTimeFormatter time =
                    new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);
            time.formatTo(Instant.ofEpochMilli(event.getTimeStamp()), line);
            line.append(' ').append(event.getLevel());
            line.append(event.getLevel().levelStr.length() < 5 ? "  [" : " [");
            line.append(event.getThreadName()).append("] ");
            line.append(event.getFormattedMessage()).append(System.lineSeparator());
            if (event.getThrowableProxy() != null) {
                line.append(ThrowableProxyUtil.asString(event.getThrowableProxy()));
            }
            return line.toString();
        }
    }

    /** One JSON object a line, for collectors of logs. */
    private static Encoder<ILoggingEvent> json(LoggerContext logback) {
        JsonEncoder encoder = new JsonEncoder();
        encoder.setContext(logback);
        encoder.setWithSequenceNumber(false);
        encoder.setWithContext(false);
        encoder.setWithNanoseconds(false);
        encoder.setWithArguments(false);
        encoder.setWithMessage(false);
        encoder.setWithFormattedMessage(true);
        encoder.start();
        return encoder;
    }
}
