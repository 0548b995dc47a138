// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;

/**
 * A request to an address of the web, which may hold a secret.
 *
 * @param client that carries it
 * @param request as it is
 */
record WebRequest(HttpClient client, HttpRequest request) implements Outgoing {

    private static final Duration ANSWER = Duration.ofSeconds(20);
    private static final int OK = 200;
    private static final int ELSEWHERE = 300;
    private static final int REFUSED = 400;
    private static final int SERVER_FAILED = 500;
    /** Too slow, too early, too often. */
    private static final Set<Integer> MAY_PASS = Set.of(408, 425, 429);

    /** Carries alerts: what is posted, a client of Java's would ask for elsewhere, without its body. */
    static HttpClient clientOfPosts() {
        return client(HttpClient.Redirect.NEVER);
    }

    /** Carries what is asked for, wherever that has moved. */
    static HttpClient clientOfGets() {
        return client(HttpClient.Redirect.NORMAL);
    }

    private static HttpClient client(HttpClient.Redirect redirect) {
        return HttpClient.newBuilder()
                .connectTimeout(ANSWER)
                .followRedirects(redirect)
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
        HttpResponse<Void> answer = client.send(request, HttpResponse.BodyHandlers.discarding());
        int status = answer.statusCode();
        if (status >= REFUSED && status < SERVER_FAILED && !MAY_PASS.contains(status)) {
            throw new NeverTakenException("it answers " + status);
        } else if (status >= ELSEWHERE && status < REFUSED) {
            throw new IOException("it answers " + status + " and points "
                    + answer.headers().firstValue("Location").map(this::siteOf).orElse("nowhere")
                    + ": name the address that takes alerts in the configuration");
        } else if (status < OK || status >= REFUSED) {
            throw new IOException("it answers " + status);
        }
    }

    /** The rest of an address may hold a secret. */
    private String siteOf(String location) {
        try {
            URI there = request.uri().resolve(location);
            return "to " + there.getScheme() + "://" + there.getAuthority();
        } catch (IllegalArgumentException e) {
            return "to what is no address";
        }
    }
}
