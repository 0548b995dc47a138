// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.option;

import io.shredder.backup.client.AgentClient;
import java.time.Duration;

/** After so long without a byte an agent is given up: a number of seconds. */
public record AgentTimeout(Duration silence) {

    static final AgentTimeout USUAL = new AgentTimeout(AgentClient.USUAL_SILENCE);

    private static final int MAX_SECONDS = 30 * 24 * 3600;

    /** Reads the option's value. */
    public static AgentTimeout parse(String text) {
        if (!text.matches("[0-9]{1,7}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > MAX_SECONDS) {
            throw new IllegalArgumentException("'" + text + "' is not a number of seconds from 1 to " + MAX_SECONDS);
        }
        return new AgentTimeout(Duration.ofSeconds(Integer.parseInt(text)));
    }
}
