// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.command;

/**
 * Logging of the command lines: to standard error, warnings only unless asked for more.
 * {@code SHREDDER_LOG_FORMAT=json} makes each line a JSON object; anything else is text. Whoever wants another logging
 * altogether names a file by {@code -Dlogback.configurationFile}.
 */
public final class Logging {

    static final String LEVEL_PROPERTY = "shredder.log.level";

    private Logging() {}

    /**
     * Sets the level of the project's own messages. To be called first of all in {@code main}.
     *
     * @param defaultLevel used unless the environment variable SHREDDER_LOG_LEVEL names another
     */
    public static void setUp(String defaultLevel) {
        String asked = System.getenv("SHREDDER_LOG_LEVEL");
        System.setProperty(LEVEL_PROPERTY, asked == null ? defaultLevel : asked);
    }
}
