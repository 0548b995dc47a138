// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.config;

import java.util.Arrays;
import java.util.Locale;

/** What a webhook takes. */
public enum AlertForm {
    /** All that is known, as JSON. */
    JSON,
    /** Slack, Mattermost and Rocket.Chat: {@code {"text": ...}}. */
    SLACK,
    /** A Matrix room by the webhook of hookshot or maubot: {@code {"text": ..., "username": ...}}. */
    MATRIX,
    /** ntfy: the text alone. */
    NTFY;

    /**
     * Reads a name.
     *
     * @throws IllegalArgumentException listing the names
     */
    public static AlertForm parse(String text) {
        return Arrays.stream(values())
                .filter(form -> form.name().toLowerCase(Locale.ROOT).equals(text))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("unknown form '" + text + "': use json, slack, matrix or ntfy"));
    }
}
