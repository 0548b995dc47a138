// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.care;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.Splitter;
import io.shredder.backup.server.Sites;
import io.shredder.backup.server.history.HistoryYears;
import io.shredder.it.corpus.Folders;
import io.shredder.it.process.ProcessMemory;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * An agent and a daemon as processes: 1,000 images with five years of nights, and one that is backed up each minute.
 */
final class DaemonOfYears implements AutoCloseable {
    static final int IMAGES = 1_000;
    static final int DAYS = 5 * 365 + 1;

    /** Of the image that is backed up each minute. */
    static final long MINUTE_BYTES = 256L << 20;

    private static final int JOURNAL_DAYS = 120;
    private static final long SOON_S = 180;
    private static final Pattern ADDRESS = Pattern.compile("console at (http://[^ ]+/)");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path folder;
    private final Sites sites;
    private final Process daemon;
    private final URI address;
    private final long openMs;
    private final HttpClient client = HttpClient.newHttpClient();
    private int versions;

    private DaemonOfYears(Path folder, Sites sites, Process daemon, URI address, long openMs) {
        this.folder = folder;
        this.sites = sites;
        this.daemon = daemon;
        this.address = address;
        this.openMs = openMs;
    }

    static DaemonOfYears start(Path folder) throws IOException, InterruptedException {
        List<String> images = IntStream.rangeClosed(1, IMAGES)
                .mapToObj(i -> String.format("machine-%04d", i))
                .toList();
        System.out.println("writing " + DAYS + " days of " + IMAGES + " images ...");
        new HistoryYears(folder.resolve("state"), "nightly", images, 1)
                .write(LocalDate.now(ZoneOffset.UTC).minusDays(1), DAYS, JOURNAL_DAYS);
        Sites sites = new Sites(folder);
        sites.startAsInstalled();
        sites.startAgent();
        Path config = folder.resolve("server.yaml");
        Files.writeString(
                config,
                "version: 1\nstate: state\nmonitoring: 127.0.0.1:0\nconsole: {listen: '127.0.0.1:0'}\n"
                        + sites.agentSection()
                        + "jobs:\n  minutely: {schedule: '* * * * *', missed: skip, retry: {times: 0},"
                        + " images: {minute: {file: minute.img}}}\n"
                        + "  nightly:\n    schedule: '30 2 * * *'\n    time-zone: UTC\n    missed: skip\n    images:\n"
                        + images.stream()
                                .map(image -> "      " + image + ": {file: /srv/" + image + ".img}\n")
                                .collect(Collectors.joining()));
        Files.write(folder.resolve("minute.img"), new byte[0]);
        Path log = folder.resolve("daemon.log");
        long begun = System.nanoTime();
        Process daemon = sites.startDaemon(config, log);
        URI address = await(daemon, log);
        long openMs = Duration.ofNanos(System.nanoTime() - begun).toMillis();
        DaemonOfYears started = new DaemonOfYears(folder, sites, daemon, address, openMs);
        started.changeImage();
        return started;
    }

    private static URI await(Process daemon, Path log) throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(SOON_S);
        while (true) {
            Matcher found = ADDRESS.matcher(Files.readString(log));
            if (found.find()) {
                return URI.create(found.group(1));
            }
            if (!daemon.isAlive() || System.nanoTime() > deadlineNs) {
                throw new IOException("the daemon does not start: " + Files.readString(log));
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    URI address() {
        return address;
    }

    /** From its start until it said where its console is. */
    long openMs() {
        return openMs;
    }

    /** An answer below the API's root. */
    String ask(String path) throws IOException, InterruptedException {
        HttpResponse<String> response = client.send(
                HttpRequest.newBuilder(address.resolve("/api/v1" + path)).build(),
                HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException(path + " was answered " + response.statusCode() + ": " + response.body());
        }
        return response.body();
    }

    /** Wholly other bytes for the next backup of the image that is backed up each minute. */
    void changeImage() throws IOException {
        Path next = folder.resolve("minute.next");
        Sites.random(next, new Random(versions++), MINUTE_BYTES);
        Files.move(next, folder.resolve("minute.img"), StandardCopyOption.ATOMIC_MOVE);
    }

    /** The newest line of the daemon's journal that says how a backup of that image ended; empty before the first. */
    JsonNode newestMinute() throws IOException {
        Path journal;
        try (Stream<Path> files = Files.list(folder.resolve("state/history"))) {
            journal = files.filter(file -> file.getFileName().toString().startsWith("runs-"))
                    .max(Path::compareTo)
                    .orElseThrow();
        }
        String last = Files.readAllLines(journal).stream()
                .filter(line -> line.contains("\"image\":\"minute\""))
                .reduce((first, second) -> second)
                .orElse("");
        int json = last.indexOf('{');
        return json < 0 ? JSON.createObjectNode() : JSON.readTree(last.substring(json));
    }

    long residentBytes() throws IOException {
        return ProcessMemory.residentBytes(daemon.pid());
    }

    /** The most that was resident since the daemon's start. */
    long mostResidentBytes() throws IOException {
        return ProcessMemory.mostResidentBytes(daemon.pid());
    }

    /** What the console's thread has used of cores since it began, in the kernel's ticks of 10 ms. */
    long consoleTicks() throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc", String.valueOf(daemon.pid()), "task"))) {
            for (Path thread : threads.toList()) {
                String stat = Files.readString(thread.resolve("stat"));
                if (stat.contains("(console-")) {
                    List<String> fields = Splitter.on(' ').splitToList(stat.substring(stat.lastIndexOf(')') + 2));
                    return Long.parseLong(fields.get(11)) + Long.parseLong(fields.get(12));
                }
            }
        }
        throw new IOException("the daemon has no thread 'console'");
    }

    @Override
    public void close() throws IOException {
        daemon.destroy();
        try {
            if (!daemon.waitFor(1, TimeUnit.MINUTES)) {
                daemon.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            daemon.destroyForcibly();
        }
        sites.close();
        Folders.delete(folder);
    }
}
