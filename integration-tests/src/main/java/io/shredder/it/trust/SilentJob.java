// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.trust;

import io.shredder.it.process.Child;
import io.shredder.it.process.Children;
import io.shredder.it.process.Condition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** The daemon with two jobs, of which the way of one to the agent gets lost. */
public final class SilentJob {
    /** After which the daemon gives an agent up. */
    public static final int TIMEOUT_SECONDS = 5;

    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final Duration GRACE = Duration.ofSeconds(20);
    private static final int IMAGE_BYTES = 8 << 20;
    private static final int PASSED_BYTES = 1 << 20;
    private static final String SITE = "site1";

    private final Path root;
    private final Path folder;
    private final Children children;

    /**
     * What was seen.
     *
     * @param otherDoneSeconds after how long the other job was done
     * @param givenUpSeconds after how long the one that hung had failed
     * @param reason the line that says why
     */
    public record Seen(double otherDoneSeconds, double givenUpSeconds, String reason) {}

    /** In a folder of its own. */
    public SilentJob(Path root, Path folder, Children children) {
        this.root = root;
        this.folder = folder;
        this.children = children;
    }

    /** Fails if one of the two jobs does not end. */
    public Seen run(long seed) throws IOException, InterruptedException {
        String rights = "clients: {" + SITE + ": {rights: [append, restore]}}\n";
        try (TrustSite site = new TrustSite(root, folder, List.of(SITE), rights, List.of(), children);
                BlackHole way = new BlackHole(site.port(), PASSED_BYTES)) {
            byte[] image = new byte[IMAGE_BYTES];
            new Random(seed).nextBytes(image);
            Files.write(folder.resolve("one.img"), image);
            new Random(seed + 1).nextBytes(image);
            Files.write(folder.resolve("two.img"), image);
            Files.createDirectories(folder.resolve("state"));
            Files.writeString(
                    folder.resolve("state/history.json"),
                    "{\"version\":1,\"seed\":1,\"handled\":{\"one\":\"2026-01-01T00:00:00Z\",\"two\":\"2026-01-01T00:00:00Z\"}}");
            Files.writeString(folder.resolve("server.yaml"), configuration(way.port()));
            long startNs = System.nanoTime();
            Child daemon = site.start("backup-server", List.of("serve", "--config", "server.yaml"));
            try {
                return watch(daemon, startNs);
            } finally {
                daemon.stop(GRACE);
            }
        }
    }

    private static String configuration(int port) {
        return "version: 1\nstate: state\ncache: cache\nconcurrency: 2\n"
                + "agent: {address: \"127.0.0.1:" + port + "\", timeout: " + TIMEOUT_SECONDS
                + "s, certificate: certs/client-" + SITE + ".crt, key: certs/client-" + SITE
                + ".key, authority: certs/ca.crt}\n"
                + "repository-key: {file: site.key, secret-file: site.secret}\n"
                + "jobs:\n"
                + "  one: {schedule: '@monthly', retry: {times: 0}, images: {one: {file: one.img}}}\n"
                + "  two: {schedule: '@monthly', retry: {times: 0}, images: {two: {file: two.img}}}\n";
    }

    private static Seen watch(Child daemon, long startNs) throws IOException, InterruptedException {
        Condition.await(
                "a job that is done", LIMIT, List.of(daemon), () -> log(daemon).contains("ended: ok"));
        double otherDone = (System.nanoTime() - startNs) / 1e9;
        Condition.await(
                "the lost job's end", LIMIT, List.of(daemon), () -> log(daemon).contains("ended: failed"));
        double givenUp = (System.nanoTime() - startNs) / 1e9;
        List<String> reasons =
                log(daemon).lines().filter(line -> line.contains("silent for")).toList();
        if (reasons.isEmpty() || log(daemon).contains("\tat ")) {
            throw new IOException("the daemon does not say in a line that the agent was silent: " + daemon.logTail());
        }
        return new Seen(otherDone, givenUp, reasons.get(0));
    }

    private static String log(Child daemon) throws IOException {
        return new String(Files.readAllBytes(daemon.log()), StandardCharsets.UTF_8);
    }
}
