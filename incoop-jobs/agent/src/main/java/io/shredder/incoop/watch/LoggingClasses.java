// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.watch;

import java.util.List;

/**
 * Classes that write logs. What they do is not the doing of the code that logs: when a file is full they begin another
 * one, in the midst of whichever call. A log is no result.
 */
final class LoggingClasses {

    private static final List<String> PACKAGES = List.of(
            "org.slf4j.",
            "org.apache.log4j.",
            "org.apache.logging.",
            "org.apache.commons.logging.",
            "ch.qos.logback.",
            "java.util.logging.");

    private LoggingClasses() {}

    /** Whether this is one of them; to be asked of classes alone that are not a job's own. */
    static boolean include(Class<?> type) {
        String name = type.getName();
        for (String start : PACKAGES) {
            if (name.startsWith(start)) {
                return true;
            }
        }
        return false;
    }
}
