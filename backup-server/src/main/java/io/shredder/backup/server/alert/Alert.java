// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/**
 * Something that people should know of.
 *
 * @param kind what is wrong
 * @param subject whose it is: a job, {@code JOB/IMAGE}, a keeper's number, or empty
 * @param what the matter is, in words
 * @param since when it began
 * @param over whether it has ended
 */
public record Alert(AlertKind kind, String subject, String what, Instant since, boolean over) {

    private static final String CUT = " ... (the log has all)";
    /** What a message's reader has the patience for, and any receiver takes. */
    private static final int MOST_CHARS = 2000;

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Shortens what would be too long to be taken: a guest's console, a list of all that is damaged. */
    public Alert {
        what = what.length() <= MOST_CHARS ? what : what.substring(0, MOST_CHARS - CUT.length()) + CUT;
    }

    /** The same, which has ended. */
    Alert ended() {
        return new Alert(kind, subject, what, since, true);
    }

    /** A line for people. */
    public String line() {
        String of = subject.isEmpty() ? "" : " (" + subject + ")";
        return over
                ? "recovered" + of + ": " + kind.meaning() + " no more, since " + since
                : kind.meaning() + of + ": " + what + ". What to do: " + kind.remedy();
    }

    /**
     * For a program; {@code docs/OPERATING-BACKUP.md} lists the fields.
     *
     * @param site who says so
     */
    String json(String site) {
        ObjectNode message = JSON.createObjectNode();
        message.put("version", 1)
                .put("site", site)
                .put("state", over ? "recovered" : "raised")
                .put("kind", kind.word())
                .put("subject", subject)
                .put("what", what)
                .put("remedy", kind.remedy())
                .put("since", since.toString())
                .put("text", line());
        return message.toString();
    }
}
