// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/** What a class logs until this is closed. */
public final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {

    private static final long TIMEOUT_S = 30;

    private final Logger logger;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private LogLines(Logger logger) {
        this.logger = logger;
    }

    public static LogLines of(Class<?> source) {
        LogLines lines = new LogLines((Logger) LoggerFactory.getLogger(source));
        lines.start();
        lines.logger.setLevel(Level.WARN);
        lines.logger.addAppender(lines);
        return lines;
    }

    @Override
    protected void append(ILoggingEvent event) {
        lines.add(event.getFormattedMessage());
    }

    /** Waits for a line with this in it. */
    public void await(String text) throws InterruptedException {
        List<String> others = new ArrayList<>();
        for (String line = lines.poll(TIMEOUT_S, TimeUnit.SECONDS);
                line != null;
                line = lines.poll(TIMEOUT_S, TimeUnit.SECONDS)) {
            if (line.contains(text)) {
                return;
            }
            others.add(line);
        }
        assertThat(others).as("logged").anyMatch(line -> line.contains(text));
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        logger.setLevel(null);
        stop();
    }
}
