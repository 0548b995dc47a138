// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import java.util.ArrayList;
import java.util.List;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** What this process logs while a program runs, message by message. Any number of threads may log. */
final class LogCapture extends AppenderSkeleton implements AutoCloseable {
    private static final int MOST_MESSAGES = 20_000;

    private final List<String> messages = new ArrayList<>(); // guarded by this

    private LogCapture() {
        setName("capture");
    }

    /** Begins; nothing is logged elsewhere any more. */
    static LogCapture begun() {
        var capture = new LogCapture();
        Logger root = Logger.getRootLogger();
        root.removeAllAppenders();
        root.setLevel(Level.INFO);
        root.addAppender(capture);
        return capture;
    }

    /** The messages so far. */
    synchronized List<String> messages() {
        return List.copyOf(messages);
    }

    @Override
    protected synchronized void append(LoggingEvent event) {
        if (messages.size() < MOST_MESSAGES) {
            messages.add(String.valueOf(event.getRenderedMessage()));
            String[] trace = event.getThrowableStrRep();
            if (trace != null) {
                messages.add(String.join("\n", trace));
            }
        }
    }

    @Override
    public boolean requiresLayout() {
        return false;
    }

    @Override
    public void close() {
        Logger.getRootLogger().removeAppender(this);
    }
}
