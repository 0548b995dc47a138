// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import io.shredder.backup.monitoring.PageServer.Answer;
import io.shredder.backup.monitoring.PageServer.Body;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The console's own files, which lie beside this class in the jar and are read once. */
final class StaticFiles {

    private static final String JAVASCRIPT = "text/javascript; charset=utf-8";
    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("index.html", "text/html; charset=utf-8"),
            Map.entry("console.css", "text/css; charset=utf-8"),
            Map.entry("icon.svg", "image/svg+xml"),
            Map.entry("console.js", JAVASCRIPT),
            Map.entry("page.js", JAVASCRIPT),
            Map.entry("images.js", JAVASCRIPT),
            Map.entry("image.js", JAVASCRIPT),
            Map.entry("snapshots.js", JAVASCRIPT),
            Map.entry("actions.js", JAVASCRIPT),
            Map.entry("recovery.js", JAVASCRIPT),
            Map.entry("listing.js", JAVASCRIPT),
            Map.entry("jobs.js", JAVASCRIPT),
            Map.entry("care.js", JAVASCRIPT),
            Map.entry("journals.js", JAVASCRIPT));

    private final Map<String, Answer> byPath = new HashMap<>();

    StaticFiles() {
        TYPES.forEach((name, type) -> byPath.put("/" + name, file(name, type)));
        byPath.put("/", file("index.html", "text/html; charset=utf-8"));
        byPath.put(ConsoleSite.API + "openapi.json", file("openapi.json", "application/json"));
    }

    private static Answer file(String name, String type) {
        try (InputStream in = StaticFiles.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("there is no " + name + " beside this class");
            }
            return new Answer(200, type, Body.of(in.readAllBytes()), Map.of("cache-control", "no-cache"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Optional<Answer> at(String path) {
        return Optional.ofNullable(byPath.get(path));
    }
}
