// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.console;

import io.shredder.backup.monitoring.PageServer.Answer;
import io.shredder.backup.monitoring.PageServer.Body;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Files of a console, read once: its own, which lie beside a class of its own, and those of all consoles. */
public final class StaticFiles {

    private static final List<String> SHARED = List.of("console.css", "icon.svg", "page.js", "pages.js");
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml",
            "js", "text/javascript; charset=utf-8",
            "json", "application/json");

    private final Map<String, Answer> byPath = new HashMap<>();

    /**
     * Reads them.
     *
     * @param beside which the console's own lie, {@code index.html} and {@code openapi.json} among them
     * @param own modules
     */
    public StaticFiles(Class<?> beside, List<String> own) {
        SHARED.forEach(name -> byPath.put("/" + name, file(StaticFiles.class, name)));
        own.forEach(name -> byPath.put("/" + name, file(beside, name)));
        byPath.put("/index.html", file(beside, "index.html"));
        byPath.put("/", file(beside, "index.html"));
        byPath.put(ApiSite.API + "openapi.json", file(beside, "openapi.json"));
    }

    private static Answer file(Class<?> beside, String name) {
        String type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "");
        try (InputStream in = beside.getResourceAsStream(name)) {
            if (in == null || type.isEmpty()) {
                throw new IllegalStateException("there is no " + name + " beside " + beside);
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
