// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** What alerts say against deleting snapshots of an image. */
public final class AlertDoubts {

    /** So long after an image changed as never before its old snapshots stay, whatever its next nights are like. */
    static final Duration UNLIKE_STAYS = Duration.ofDays(14);

    private static final Set<AlertKind> OF_THE_IMAGE = EnumSet.of(
            AlertKind.IMAGE_FAILED, AlertKind.IMAGE_SILENT, AlertKind.UNLIKE_BEFORE, AlertKind.CHANGES_UNTRUE);

    private AlertDoubts() {}

    /**
     * The same by what the daemon has written down, for a command.
     *
     * @param job that backs the image up
     * @throws IOException if the file can't be read
     */
    public static List<String> inFolder(Path state, String job, String image, Clock clock) throws IOException {
        AlertBook book = AlertBook.look(state, clock);
        return of(book.raised(), book.unlike(), job + "/" + image, clock.instant());
    }

    /**
     * Reasons, each in words.
     *
     * @param raised what stands
     * @param unlike when images were last unlike before
     * @param subject job and image
     */
    static List<String> of(List<Alert> raised, Map<String, Instant> unlike, String subject, Instant now) {
        List<String> reasons = new ArrayList<>();
        for (Alert alert : raised) {
            if (speaksAgainst(alert, subject)) {
                reasons.add("since " + alert.since() + " an alert stands, "
                        + alert.kind().word() + " of " + alert.subject() + ": "
                        + alert.kind().meaning());
            }
        }
        Stream.of("", subject)
                .filter(unlike::containsKey)
                .filter(each -> now.isBefore(unlike.getOrDefault(each, now).plus(UNLIKE_STAYS)))
                .forEach(each -> reasons.add(
                        each.isEmpty()
                                ? "what alerts stood before " + unlike.get(each) + " is not known"
                                : "at " + unlike.get(each) + " it changed as it never had before, and snapshots"
                                        + " stay for " + UNLIKE_STAYS.toDays() + " days after that"));
        return reasons;
    }

    /**
     * Damage may be of any image. Boot tests are of the image, by whatever care; so is what an agent lost of it, or of
     * any image if it is a second agent.
     */
    private static boolean speaksAgainst(Alert alert, String subject) {
        String image = subject.substring(subject.indexOf('/'));
        return switch (alert.kind()) {
            case DAMAGE_FOUND -> true;
            case BOOT_FAILED -> alert.subject().endsWith(image);
            case AGENT_WENT_BACK ->
                alert.subject().endsWith(image) || alert.subject().indexOf('/') < 0;
            default -> OF_THE_IMAGE.contains(alert.kind()) && alert.subject().equals(subject);
        };
    }
}
