// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.option;

import io.shredder.backup.command.CommandErrors;
import io.shredder.backup.server.text.Json;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** The option of every command that prints a result. */
public final class JsonOption {

    @Option(names = "--json", description = "Print the result as one line of JSON.")
    private boolean given;

    /** Whether the result is to be one line of JSON. */
    public boolean isGiven() {
        return given;
    }

    /** A command's own work. */
    @FunctionalInterface
    public interface Work {
        /** Does it; returns the exit code. */
        int run() throws IOException;
    }

    /**
     * Does the work. With {@code --json} an error is printed as a result, too.
     *
     * @param done what was done until then
     */
    public int orError(Supplier<Map<String, Object>> done, Work work) throws IOException {
        try {
            return work.run();
        } catch (IOException | RuntimeException e) {
            if (given) {
                Map<String, Object> result = new LinkedHashMap<>(done.get());
                result.put("error", CommandErrors.describe(e));
                System.out.println(Json.line(result));
            }
            throw e;
        }
    }

    /** Prints a result in the form that is wanted. */
    public void print(Supplier<Map<String, Object>> json, Supplier<String> text) {
        System.out.println(given ? Json.line(json.get()) : text.get());
    }
}
