// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.monitoring;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request.
 *
 * @param method {@code GET}, or {@code POST} where a site takes it
 * @param path decoded, without the query
 * @param query by name, decoded
 * @param headers by name in lower case, the first of each
 * @param certificate of who asks, proved; empty without TLS
 * @param body as UTF-8
 */
public record PageRequest(
        String method,
        String path,
        Map<String, List<String>> query,
        Map<String, String> headers,
        Optional<X509Certificate> certificate,
        String body) {

    /** A GET. */
    public PageRequest(
            String path,
            Map<String, List<String>> query,
            Map<String, String> headers,
            Optional<X509Certificate> certificate) {
        this("GET", path, query, headers, certificate, "");
    }

    /** The first value of a name in the query. */
    public Optional<String> parameter(String name) {
        return query.getOrDefault(name, List.of()).stream().findFirst();
    }
}
