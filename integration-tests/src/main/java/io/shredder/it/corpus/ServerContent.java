// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import io.shredder.it.corpus.CorpusEditor.Plan;
import io.shredder.it.process.Children;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The files of a {@link ServerDisk} and what becomes of them. For one thread, each step once and in order. */
final class ServerContent {
    private static final String DATABASE = "var/lib/app/documents.sqlite";
    private static final String ARCHIVES = "var/cache/apt/archives";
    private static final String MEDIA = "srv/media";
    private static final String LOG = "var/log/nginx/access.log";
    private static final long SEED = 20_260_101;
    private static final int EXPORTS = 10;
    private static final int EXPORTS_CHANGED = 4;
    private static final int INSERTS_OF_AN_EXPORT = 12;
    private static final double INSERTED_PART = 0.003;
    private static final int ROTATED_LOGS = 8;
    private static final int PATHS_ASKED_FOR = 20_000;
    private static final int PROGRAMS_CHANGED = 400;
    private static final int ROWS_OF_A_RUN = 1200;
    private static final int ROWS_FOR_A_RUN = 21_000;
    private static final int ROWS_FOR_A_SINGLE = 600;

    // Parts of the disk's size: what lies on it, and where in the text it begins.
    private static final double DATABASE_PART = 0.12;
    private static final double UPDATES_BEGIN = 0.16;
    private static final double EXPORTS_BEGIN = 0.20;
    private static final double EXPORT_PART = 0.002;
    private static final double LOG_PART = 0.003;
    private static final double TEXT_PART = 0.225;

    /** Below this, a text of just the needed length; else the one that other measurements use, too. */
    private static final long SMALL_TEXT_BYTES = 1L << 30;

    private final Path work;
    private final Path cache;
    private final Path logs;
    private final Children children;
    private final long bytes;
    private final DebianPackages packages;
    private final ServerPackages sets;
    private final DebianTree system;
    private final Path additionRoot;
    private final Random random = new Random(SEED);
    private final RowsDatabase rows;

    /**
     * Nothing yet.
     *
     * @param tree an empty folder for all of it, on the cache's file system
     * @param cache what was downloaded or made of downloads
     * @param bytes size of the disk
     */
    ServerContent(Path tree, Path cache, Path logs, Children children, long bytes) throws IOException {
        this.work = Files.createDirectories(tree.resolve("work"));
        this.cache = cache;
        this.logs = logs;
        this.children = children;
        this.bytes = bytes;
        this.packages = new DebianPackages(children, cache, logs);
        this.sets = ServerPackages.forDiskOf(bytes);
        this.system = DebianTree.create(tree.resolve("system"), packages);
        this.additionRoot = tree.resolve("addition");
        this.rows = new RowsDatabase(work, logs, children, random);
    }

    /** Where the first disk's files lie. */
    Path firstTree() {
        return system.root();
    }

    /** Writes the first disk's files. */
    void writeFirst() throws IOException, InterruptedException {
        List<Path> debs = packages.withDependencies(sets.name(), sets.first());
        system.install(debs);
        link(debs, ARCHIVES, firstTree());
        link(ServerPackages.archives(packages, sets.media()), MEDIA, firstTree());
        Path text = text();
        Path database = parentMade(firstTree().resolve(DATABASE));
        try (InputStream in = RowsDatabase.textFrom(text, 0)) {
            rows.create(database, in, share(DATABASE_PART));
        }
        for (int i = 0; i < EXPORTS; i++) {
            try (InputStream in = RowsDatabase.textFrom(text, share(EXPORTS_BEGIN + i * EXPORT_PART))) {
                Files.write(parentMade(export(firstTree(), i)), in.readNBytes((int) share(EXPORT_PART)));
            }
        }
        AccessLog log = accessLog("2026-01-01T00:00:00Z");
        for (int i = ROTATED_LOGS; i > 0; i--) {
            log.append(parentMade(firstTree().resolve(LOG + "." + i)), share(LOG_PART));
        }
        log.append(firstTree().resolve(LOG), share(LOG_PART) / 2);
    }

    /** Overwrites rows of the database in the pages of an image of the first disk. */
    void updateDatabase(Ext4Image image) throws IOException, InterruptedException {
        Path before = firstTree().resolve(DATABASE);
        Path after = work.resolve("updated.sqlite");
        Files.copy(before, after, StandardCopyOption.REPLACE_EXISTING);
        try (InputStream in = RowsDatabase.textFrom(text(), share(UPDATES_BEGIN))) {
            rows.update(after, in, rows.count() / ROWS_FOR_A_RUN + 1, ROWS_OF_A_RUN, rows.count() / ROWS_FOR_A_SINGLE);
        }
        image.overwrite("/" + DATABASE, before, after);
    }

    /** Writes what else is new on the second disk and returns the words that tell debugfs to put it there. */
    List<String> writeChanges() throws IOException, InterruptedException {
        List<Path> first = packages.withDependencies(sets.name(), sets.first());
        List<Path> later =
                ServerPackages.without(packages.withDependencies(sets.name() + "-later", sets.later()), first);
        var addition = DebianTree.additionTo(system, additionRoot);
        addition.install(later);
        link(later, ARCHIVES, additionRoot);
        link(ServerPackages.archives(packages, sets.laterMedia()), MEDIA, additionRoot);
        for (int i = 0; i < EXPORTS_CHANGED; i++) {
            Path next = parentMade(export(additionRoot, i));
            CorpusEditor.edit(export(firstTree(), i), next, inserts(INSERTS_OF_AN_EXPORT, INSERTED_PART, i));
        }
        for (Path program : programs()) {
            Path next = parentMade(additionRoot.resolve(firstTree().relativize(program)));
            CorpusEditor.edit(program, next, inserts(1, 0.001, random.nextLong()));
        }
        Path current = parentMade(additionRoot.resolve(LOG));
        Files.copy(firstTree().resolve(LOG), current);
        AccessLog log = accessLog("2026-01-15T00:00:00Z");
        log.append(current, share(LOG_PART));
        log.append(additionRoot.resolve(LOG + ".0"), share(LOG_PART));
        return addition.changesTo(firstTree());
    }

    private static Plan inserts(int places, double part, long seed) {
        return new Plan(List.of(Edit.INSERT), places, part, seed, NewLines.TEXT);
    }

    /** Some source files of packages, large enough for a line more to matter. */
    private List<Path> programs() throws IOException {
        return chosen(files(".py", ".h", ".pm", ".go", ".js"), PROGRAMS_CHANGED);
    }

    private AccessLog accessLog(String start) throws IOException {
        var paths = chosen(files(""), PATHS_ASKED_FOR).stream()
                .map(file -> firstTree().relativize(file).toString())
                .toList();
        return new AccessLog(paths, Instant.parse(start), random);
    }

    private List<Path> chosen(List<Path> files, int most) {
        Collections.shuffle(files, random);
        return files.subList(0, Math.min(most, files.size()));
    }

    /** Regular files of packages with one of these endings and more than a block's bytes, in a fixed order. */
    private List<Path> files(String... endings) throws IOException {
        try (Stream<Path> all = Files.walk(firstTree().resolve("usr"))) {
            return all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                            && Stream.of(endings).anyMatch(file.toString()::endsWith)
                            && file.toFile().length() > Ext4Image.BLOCK_BYTES)
                    .sorted()
                    .collect(Collectors.toList());
        }
    }

    private Path text() throws IOException, InterruptedException {
        long needed = share(TEXT_PART);
        return LargeText.in(cache, logs, children, needed < SMALL_TEXT_BYTES ? needed : LargeText.MOST_BYTES);
    }

    private long share(double part) {
        return (long) (bytes * part);
    }

    private static Path export(Path root, int number) {
        return root.resolve(String.format("srv/export/part-%02d.txt", number));
    }

    private static void link(List<Path> files, String folder, Path root) throws IOException {
        for (Path file : files) {
            Files.createLink(parentMade(root.resolve(folder).resolve(file.getFileName())), file.toRealPath());
        }
    }

    private static Path parentMade(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        return file;
    }
}
