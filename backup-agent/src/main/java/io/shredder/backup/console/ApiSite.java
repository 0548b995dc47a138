// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.monitoring.PageRequest;
import io.shredder.backup.monitoring.PageServer;
import io.shredder.backup.monitoring.PageServer.Answer;
import io.shredder.backup.monitoring.PageServer.Body;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** START HERE for consoles: who is let in, which headers shut the page in, what is a file and what the API's. */
public abstract class ApiSite implements PageServer.Site {

    /** What the API's paths begin with. */
    public static final String API = "/api/v1/";

    private static final Logger LOG = LoggerFactory.getLogger(ApiSite.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<String, String> HEADERS = Map.of(
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "x-content-type-options",
            "nosniff",
            "x-frame-options",
            "DENY",
            "referrer-policy",
            "no-referrer",
            "cross-origin-resource-policy",
            "same-origin",
            "cross-origin-opener-policy",
            "same-origin",
            "cache-control",
            "no-store");

    private final Visitors visitors;
    private final StaticFiles files;

    /** Of a daemon's own files, for those who are let in. */
    protected ApiSite(Visitors visitors, StaticFiles files) {
        this.visitors = visitors;
        this.files = files;
    }

    /**
     * What the API answers to a request that was let in, and that no other site's page has caused; empty if there is no
     * such path. A bad value is an {@link IllegalArgumentException} that names it.
     *
     * @param path below {@link #API}
     */
    protected abstract Optional<Answer> api(String path, PageRequest request) throws IOException;

    /** Who asks, by the certificate; empty on a loopback address without one. */
    protected final Optional<String> person(PageRequest request) {
        return visitors.person(request);
    }

    @Override
    public final Answer answer(PageRequest request) {
        Answer plain = visitors.refusal(request).orElseGet(() -> let(request));
        Map<String, String> headers = new HashMap<>(HEADERS);
        headers.putAll(plain.headers());
        return new Answer(plain.status(), plain.type(), plain.body(), headers);
    }

    private Answer let(PageRequest request) {
        try {
            return request.method().equals("POST")
                    ? Visitors.forged(request).orElseGet(() -> api(request))
                    : files.at(request.path()).orElseGet(() -> api(request));
        } catch (IllegalArgumentException e) {
            return error(400, String.valueOf(e.getMessage()));
        }
    }

    private Answer api(PageRequest request) {
        if (!request.path().startsWith(API)) {
            return error(404, "nothing is here: begin at /, or at " + API + "openapi.json");
        }
        try {
            return api(request.path().substring(API.length()), request)
                    .orElseGet(() -> error(404, "there is no such thing: " + API + "openapi.json says what there is"));
        } catch (IOException e) {
            LOG.warn("the console can't use the daemon's state: {}", e.toString());
            return error(500, "the daemon can't read or write its state: see its log");
        }
    }

    /** An answer of the API. */
    public static Answer json(int status, ObjectNode json) {
        return new Answer(status, "application/json", Body.of(json + "\n"), Map.of());
    }

    /** An error, which names the bad value and the remedy. */
    public static Answer error(int status, String text) {
        return json(status, JSON.createObjectNode().put("error", text));
    }
}
