// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.verify;

/**
 * What a comparison gave.
 *
 * @param verdict whether reuse has changed anything
 * @param text one line that says of which job, and where
 */
public record Finding(Verdict verdict, String text) {

    /** Whether reuse has changed anything. */
    public enum Verdict {
        /** It has not. */
        EQUAL,
        /** There was no reuse: the job ran plainly. */
        PLAIN,
        /** It has. */
        DIFFERENT,
        /** The job failed or could not be compared. */
        UNKNOWN
    }

    /** As a line of a report. */
    String encode() {
        return verdict + " " + text.replaceAll("\\s*\\R\\s*", " ");
    }

    /** Reads a line of a report. */
    static Finding decode(String line) {
        int middle = line.indexOf(' ');
        return new Finding(Verdict.valueOf(line.substring(0, middle)), line.substring(middle + 1));
    }
}
