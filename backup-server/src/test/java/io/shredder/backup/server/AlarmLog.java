// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.shredder.backup.server.trust.SnapshotCommit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.LoggerFactory;

/** Whether a backup has said ALARM in its log, by thread. */
final class AlarmLog extends AppenderBase<ILoggingEvent> {

    private static final ThreadLocal<AtomicBoolean> SAID = ThreadLocal.withInitial(AtomicBoolean::new);
    private static final AlarmLog INSTALLED = install();

    private AlarmLog() {}

    private static AlarmLog install() {
        AlarmLog alarms = new AlarmLog();
        Logger logger = (Logger) LoggerFactory.getLogger(SnapshotCommit.class);
        logger.setLevel(Level.WARN);
        logger.setAdditive(false);
        alarms.setContext(logger.getLoggerContext());
        alarms.start();
        logger.addAppender(alarms);
        return alarms;
    }

    /** Whether this thread's backups have since this was asked last. */
    static boolean take() {
        return INSTALLED.isStarted() && SAID.get().getAndSet(false);
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (event.getFormattedMessage().startsWith("ALARM")) {
            SAID.get().set(true);
        }
    }
}
