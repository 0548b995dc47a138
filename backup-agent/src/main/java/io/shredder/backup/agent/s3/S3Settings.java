// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How an object store is reached. Keys are no part of it: they come from the environment, from a file of profiles, or
 * from the machine's role.
 *
 * @param endpoint of another object store than Amazon's
 * @param region by which requests are signed, if not the environment's
 * @param virtualHosts whether buckets are names of hosts; at another endpoint they are parts of the path otherwise
 * @param authority file with the certificates that vouch for the endpoint, if not Java's
 * @param plain whether requests may go to other machines unencrypted
 * @param retention for how long what is written can't be deleted
 */
public record S3Settings(
        Optional<URI> endpoint,
        Optional<String> region,
        boolean virtualHosts,
        Optional<Path> authority,
        boolean plain,
        Optional<Retention> retention) {

    /** Amazon's, by the environment alone. */
    public static final S3Settings NONE =
            new S3Settings(Optional.empty(), Optional.empty(), false, Optional.empty(), false, Optional.empty());

    /** The same with retention, or without. */
    public S3Settings withRetention(Optional<Retention> other) {
        return new S3Settings(endpoint, region, virtualHosts, authority, plain, other);
    }

    /** Refuses what can't work or isn't safe, before anything is sent. */
    void check() throws IOException {
        if (endpoint.isPresent()) {
            checkEndpoint(endpoint.get());
        }
        if (authority.isPresent() && !Files.isReadable(authority.get())) {
            throw new IOException(
                    "--store-ca " + authority.get() + " can't be read: name a file of certificates (PEM)");
        }
    }

    private void checkEndpoint(URI url) throws IOException {
        boolean encrypted = "https".equals(url.getScheme());
        if ((!encrypted && !"http".equals(url.getScheme()))
                || url.getHost() == null
                || url.getRawUserInfo() != null
                || url.getRawQuery() != null) {
            throw new IOException("--store-endpoint " + url + " is not an address: use one such as"
                    + " https://s3.example.org or https://s3.example.org:9000");
        }
        if (!encrypted && !plain && !isHere(url.getHost())) {
            throw new IOException("--store-endpoint " + url + " isn't encrypted, so that others on the way could read"
                    + " and change requests: use https, or say --store-plain-http if that way is safe otherwise");
        }
    }

    private static boolean isHere(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
