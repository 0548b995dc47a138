// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What the owners of backups do all the time, one after another: back up, restore, prune by rules, collect, copy to a
 * second agent, repair, verify. Each must succeed, and what the rules keep restores to what was backed up. A thread of
 * its own until it is ended.
 */
final class GenuineLife {

    private static final int KEPT = 5;
    private static final int IMAGE_BYTES = 400_000;
    private static final int CHANGED_BYTES = 30_000;
    private static final List<String> SERIES = List.of("vm", "db");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HostileSite site;
    private final Random random;
    private final Map<String, byte[]> images = new TreeMap<>();
    /** Digests of the images of snapshots that the rules should keep, by id, of each series. */
    private final Map<String, TreeMap<Long, String>> kept = new TreeMap<>();

    private final Thread thread = new Thread(this::live, "genuine-life");
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final Map<String, Integer> done = new TreeMap<>();
    private volatile boolean ends;

    GenuineLife(HostileSite site, Random random) throws IOException, InterruptedException {
        this.site = site;
        this.random = random;
        for (String series : SERIES) {
            byte[] image = new byte[IMAGE_BYTES];
            random.nextBytes(image);
            images.put(series, image);
            kept.put(series, new TreeMap<>());
            backUp(series);
        }
    }

    void start() {
        thread.start();
    }

    private void live() {
        try {
            for (int round = 1; !ends; round++) {
                round(round);
            }
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            failure.set(e);
        }
    }

    /** Fails if something failed. */
    void check() {
        Throwable failed = failure.get();
        if (failed != null) {
            throw new AssertionError("a genuine operation failed: " + failed.getMessage(), failed);
        }
    }

    /** Ends it, and looks at all that should be there; returns what was done. */
    String end() throws IOException, InterruptedException {
        ends = true;
        thread.join();
        check();
        run("copy", site.words("copy", "--all", "--json"));
        for (String series : SERIES) {
            for (long id : kept.get(series).keySet()) {
                restore(series, id);
            }
        }
        run("verify", site.adminWords("verify"));
        Path to = site.folder().resolve("from-second");
        for (String series : SERIES) {
            HostileSite.run(site.fromSecond("restore", series, "--to", to.toString(), "--force"));
            checkDigest(to, kept.get(series).lastEntry().getValue(), series + " at the second agent");
        }
        return done.toString();
    }

    private void round(int round) throws IOException, InterruptedException {
        String series = SERIES.get(random.nextInt(SERIES.size()));
        backUp(series);
        List<Long> ids = List.copyOf(kept.get(series).keySet());
        restore(series, round % 2 == 0 ? ids.get(random.nextInt(ids.size())) : 0);
        if (round % 3 == 0) {
            prune();
        }
        if (round % 4 == 0) {
            run("gc", site.adminWords("gc", "--min-garbage", "0"));
        }
        if (round % 5 == 0) {
            run("copy", site.words("copy", "--all", "--json"));
        }
        if (round % 6 == 0) {
            run("repair", site.words("repair", "--known", "--json"));
            run("list", site.adminWords("list"));
            run("stats", site.adminWords("stats"));
        }
    }

    /** In this process, or in one of its own, as users do. */
    private String run(String name, List<String> words) throws IOException, InterruptedException {
        done.merge(name, 1, Integer::sum);
        return random.nextInt(8) == 0 ? site.runProcess(words) : HostileSite.run(words);
    }

    private void backUp(String series) throws IOException, InterruptedException {
        byte[] image = images.get(series);
        byte[] changed = new byte[CHANGED_BYTES];
        random.nextBytes(changed);
        System.arraycopy(changed, 0, image, random.nextInt(IMAGE_BYTES - CHANGED_BYTES), CHANGED_BYTES);
        Path file = Files.write(site.folder().resolve(series + ".img"), image);
        String said = run("backup", site.words("backup", file.toString(), "--name", series, "--avg", "16k", "--json"));
        kept.get(series).put(json(said).get("id").asLong(), Sites.sha256(file));
    }

    /** The one line that is JSON: warnings stand beside it. */
    private static JsonNode json(String said) throws IOException {
        return JSON.readTree(said.lines()
                .filter(line -> line.startsWith("{"))
                .findFirst()
                .orElseThrow(() -> new IOException("no JSON in: " + said)));
    }

    /** The latest for id 0. */
    private void restore(String series, long id) throws IOException, InterruptedException {
        Path to = site.folder().resolve("restored");
        String choice = id == 0 ? series : series + "@" + id;
        run("restore", site.words("restore", choice, "--to", to.toString(), "--force"));
        TreeMap<Long, String> snapshots = kept.get(series);
        checkDigest(to, id == 0 ? snapshots.lastEntry().getValue() : snapshots.get(id), choice);
    }

    private static void checkDigest(Path restored, String digest, String what) throws IOException {
        if (!Sites.sha256(restored).equals(digest)) {
            throw new AssertionError(what + " restores to other bytes");
        }
    }

    private void prune() throws IOException, InterruptedException {
        String said = run(
                "prune",
                site.adminWords("prune", "--keep-last", String.valueOf(KEPT), "--max-new", "1000000", "--json"));
        List<Long> deleted = new ArrayList<>();
        json(said).get("deleted").forEach(id -> deleted.add(id.asLong()));
        List<Long> expected = new ArrayList<>();
        for (TreeMap<Long, String> snapshots : kept.values()) {
            while (snapshots.size() > KEPT) {
                expected.add(snapshots.pollFirstEntry().getKey());
            }
        }
        deleted.sort(null);
        expected.sort(null);
        if (!deleted.equals(expected)) {
            throw new AssertionError("prune deleted " + deleted + ", the rules say " + expected);
        }
    }
}
