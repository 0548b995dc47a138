// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.store;

import io.shredder.backup.TestCertificates;
import io.shredder.backup.agent.s3.S3Server;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.it.corpus.SeededBytes;
import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Medians;
import io.shredder.it.process.Child;
import io.shredder.it.process.Children;
import io.shredder.it.trust.TrustSite;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Two agents as users start them, one with its repository in a folder, one with it in an object store on this machine,
 * by TLS as it is by default; both get the same images in turn. Nothing of an image was there before, and nothing of it
 * can be compressed.
 */
final class StoreSpeed {
    private static final long SHORT_BYTES = 256L << 20;
    private static final int ROUNDS = 3;
    private static final double LEAST_SHARE = 0.8;
    private static final double MOST_PUTS = 1.1;
    private static final String CLIENT = "site1";
    private static final String RIGHTS = "clients:\n  site1:\n    rights: [append, restore, prune]\n";

    private final Path root;
    private final Path folder;
    private final Children children;
    private final Consumer<Bar> bars;

    StoreSpeed(Path root, Path folder, Children children, Consumer<Bar> bars) {
        this.root = root;
        this.folder = folder;
        this.children = children;
        this.bars = bars;
    }

    /** What was asked of the object store for how many containers. */
    private record Asked(double puts, double containers) {}

    void measure(StoreBars.Extent extent) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Path image = folder.resolve("image");
        List<Double> shares = new ArrayList<>();
        List<Double> localSeconds = new ArrayList<>();
        int metrics = freePort();
        TlsFiles tls = new TestCertificates(folder.resolve("certs")).agent("127.0.0.1");
        try (S3Server server = S3Server.start(folder, tls);
                TrustSite local = site("local", List.of(), List.of());
                TrustSite objects = site("objects", environment(), options(server, tls, metrics))) {
            backUp(local, image, 0, SHORT_BYTES);
            backUp(objects, image, 0, SHORT_BYTES);
            Asked before = asked(metrics);
            for (int round = 1; round <= (extent.brief() ? 1 : ROUNDS); round++) {
                double here = backUp(local, image, round, extent.imageBytes());
                double there = backUp(objects, image, round, extent.imageBytes());
                shares.add(here / there);
                localSeconds.add(here);
            }
            Asked after = asked(metrics);
            double seconds = Medians.of(localSeconds);
            bars.accept(Bar.atLeastTimes(
                    "backup into an object store on this machine",
                    Medians.of(shares),
                    LEAST_SHARE,
                    String.format(Locale.ROOT, "a folder's %.0f MB/s", extent.imageBytes() / 1e6 / seconds)));
            double containers = after.containers() - before.containers();
            bars.accept(new Bar(
                    "PUTs a container, lists and all but the owner",
                    String.format(
                            Locale.ROOT,
                            "%.2f (%.0f for %.0f)",
                            (after.puts() - before.puts()) / containers,
                            after.puts() - before.puts(),
                            containers),
                    "at most " + MOST_PUTS,
                    Bar.Verdict.of((after.puts() - before.puts()) / containers <= MOST_PUTS)));
        }
    }

    private TrustSite site(String name, List<String> prefix, List<String> options)
            throws IOException, InterruptedException {
        return new TrustSite(root, folder.resolve(name), List.of(CLIENT), RIGHTS, options, children, prefix);
    }

    private static List<String> environment() {
        return List.of("env", "AWS_ACCESS_KEY_ID=" + S3Server.ACCESS, "AWS_SECRET_ACCESS_KEY=" + S3Server.SECRET);
    }

    private static List<String> options(S3Server server, TlsFiles tls, int metrics) throws IOException {
        String bucket = server.bucket(server.settings(tls.authority()));
        List<String> options = new ArrayList<>(List.of("--store", "s3://" + bucket + "/backup"));
        options.addAll(List.of("--store-ca", tls.authority().toString()));
        options.addAll(server.options());
        options.addAll(List.of("--monitoring", "127.0.0.1:" + metrics));
        return options;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Seconds, by the clock on the wall. */
    private double backUp(TrustSite site, Path image, int seed, long bytes) throws IOException, InterruptedException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(image), 1 << 20)) {
            SeededBytes.write(out, seed, 0, bytes);
        }
        List<String> words = new ArrayList<>(List.of(
                "backup",
                image.toString(),
                "--name",
                "image-" + seed,
                "--repository-key",
                "site.key",
                "--secret-file",
                "site.secret",
                "--agent",
                "127.0.0.1:" + site.port()));
        words.addAll(site.identity("client-" + CLIENT));
        long start = System.nanoTime();
        Child command = site.start("shredder-backup", words);
        command.waitForSuccess();
        return (System.nanoTime() - start) / 1e9;
    }

    private static Asked asked(int port) throws IOException, InterruptedException {
        String text = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        return new Asked(
                figure(text, "shredder_agent_store_requests\\{kind=\"PutObject\"\\}"),
                figure(text, "shredder_agent_containers"));
    }

    private static double figure(String text, String name) throws IOException {
        Matcher line =
                Pattern.compile("^" + name + " ([0-9.E]+)$", Pattern.MULTILINE).matcher(text);
        if (!line.find()) {
            throw new IOException("no figure " + name + " in what the agent says of itself");
        }
        return Double.parseDouble(line.group(1));
    }
}
