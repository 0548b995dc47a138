// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.watch;

import java.lang.ProcessBuilder.Redirect;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A process that a job's code is about to start.
 *
 * @param command the program and its arguments
 * @param environment what the process gets, or null for all that this JVM has
 * @param hasPipedInput whether its input comes from the code that starts it
 * @param by the class of the job that starts it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; as ProcessImpl takes and gives it
public record ProcessStart(
        String[] command, @Nullable Map<String, String> environment, boolean hasPipedInput, Class<?> by) {

    static ProcessStart of(String[] command, @Nullable Object environment, @Nullable Object redirects, Class<?> by) {
        return new ProcessStart(command.clone(), texts(environment), isPiped(redirects), by);
    }

    private static @Nullable Map<String, String> texts(@Nullable Object environment) {
        if (!(environment instanceof Map<?, ?> map)) {
            return null;
        }
        Map<String, String> texts = new LinkedHashMap<>();
        map.forEach((name, value) -> texts.put(String.valueOf(name), String.valueOf(value)));
        return texts;
    }

    private static boolean isPiped(@Nullable Object redirects) {
        return redirects == null
                || (redirects instanceof Redirect[] streams && streams.length > 0 && streams[0].equals(Redirect.PIPE));
    }
}
