// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/**
 * A request to an address of the web, which may hold a secret.
 *
 * @param client that carries it
 * @param request as it is
 */
record WebRequest(HttpClient client, HttpRequest request) implements Outgoing {

    private static final Duration ANSWER = Duration.ofSeconds(20);
    private static final int OK = 200;
    private static final int NOT_OK = 300;

    /** Carries any number. */
    static HttpClient newClient() {
        return HttpClient.newBuilder()
                .connectTimeout(ANSWER)
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build();
    }

    /** Posts a body. */
    static WebRequest post(HttpClient client, URI address, AlertBody body) {
        return new WebRequest(
                client,
                to(address)
                        .header("Content-Type", body.contentType())
                        .POST(HttpRequest.BodyPublishers.ofString(body.text()))
                        .build());
    }

    /** Asks for a page. */
    static WebRequest get(HttpClient client, URI address) {
        return new WebRequest(client, to(address).GET().build());
    }

    private static HttpRequest.Builder to(URI address) {
        return HttpRequest.newBuilder(address).timeout(ANSWER).header("User-Agent", "shredder-backup");
    }

    @Override
    public String host() {
        return request.uri().getHost();
    }

    @Override
    public void send() throws IOException, InterruptedException {
        int status =
                client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        if (status < OK || status >= NOT_OK) {
            throw new IOException("it answers " + status);
        }
    }
}
