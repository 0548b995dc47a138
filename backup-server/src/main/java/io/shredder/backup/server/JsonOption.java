// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** The option of every command that prints a result. */
final class JsonOption {

    @Option(names = "--json", description = "Print the result as one line of JSON.")
    private boolean given;

    boolean isGiven() {
        return given;
    }

    /** Prints a result in the form that is wanted. */
    void print(Supplier<Map<String, Object>> json, Supplier<String> text) {
        System.out.println(given ? Json.line(json.get()) : text.get());
    }
}
