// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.config;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Whom to tell what is wrong, and when something is silence.
 *
 * @param webhook address of the web that gets each alert by POST
 * @param form in which it takes them
 * @param mail who gets each alert by mail
 * @param ping address that is asked for by GET whenever a job has ended well: whoever waits for it notices that none
 *     came
 * @param silence a scheduled image without a success for so long raises an alert
 * @param fullWithin an agent's store that will be full sooner, if it goes on as before, raises an alert
 */
public record AlertConfig(
        Optional<String> webhook,
        AlertForm form,
        Optional<MailConfig> mail,
        Optional<String> ping,
        Optional<Duration> silence,
        Duration fullWithin) {

    static final Duration USUAL_FULL_WITHIN = Duration.ofDays(7);

    /** Nobody. */
    public static final AlertConfig NONE = new AlertConfig(
            Optional.empty(), AlertForm.JSON, Optional.empty(), Optional.empty(), Optional.empty(), USUAL_FULL_WITHIN);

    private static final Pattern ADDRESS = Pattern.compile(
            "https?://([A-Za-z0-9.-]+|\\[[0-9a-fA-F:]+])(:[0-9]{1,5})?(/[\\w.~:/?#\\[\\]@!$&'()*+,;=%-]*)?");

    /**
     * An address of the web. Errors don't repeat it, since it may hold a secret.
     *
     * @throws IllegalArgumentException if it is none
     */
    static String address(String text) {
        if (!ADDRESS.matcher(text).matches()) {
            throw new IllegalArgumentException("this is not an address such as https://alerts.example.org/path");
        }
        return text;
    }
}
