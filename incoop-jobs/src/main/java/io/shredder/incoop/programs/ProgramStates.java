// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.programs;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.config.IncoopKeys;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/**
 * How things stand on this machine that a program was seen asking for. All that the system tells of a file counts, but
 * for its inode, the count of its links, and when it was last read or its attributes were changed. A folder's own times
 * count, too, but not those that change all the time: of the working folder and those around it, at which each shell
 * looks; of folders for temporary files, and of what a NodeManager makes for containers, or keeps them in. If the nodes
 * of a cluster are said to be alike, no times count. Safe for use by several threads.
 */
public final class ProgramStates {

    private static final String NOTHING_THERE = "nothing";
    private static final String ENVIRONMENT = "environment";

    /** A file whose attributes have changed so recently may change again within the clock's step. */
    private static final long SURE_AFTER_NS = 2_000_000_000L;

    private static final TaskPlaces PLACES = TaskPlaces.ofThisJvm();

    private static final Path WORKING_FOLDER = Path.of("").toAbsolutePath();

    private static final Set<Path> CHANGING_FOLDERS = Stream.of("/tmp", System.getProperty("java.io.tmpdir", "/tmp"))
            .map(folder -> Path.of(folder).toAbsolutePath())
            .collect(Collectors.toUnmodifiableSet());

    /** Digests of contents by path and all attributes: each chunk's programs read the same libraries. */
    private static final Map<String, String> CONTENTS = new ConcurrentHashMap<>();

    private final boolean timesCount;

    private ProgramStates(boolean timesCount) {
        this.timesCount = timesCount;
    }

    /** As they count for a job. */
    public static ProgramStates of(Configuration job) {
        return new ProgramStates(!IncoopKeys.nodesAreAlike(job));
    }

    /** The name of a dependency on the environment that programs inherit. */
    static String environment() {
        return ENVIRONMENT;
    }

    /**
     * The name of a dependency on a file.
     *
     * @return empty if nobody will find it again: what lies in other containers' folders
     */
    static Optional<String> name(SeenFile seen) {
        if (seen.how() == SeenFile.How.LIST && PLACES.isShared(seen.path())) {
            return Optional.empty();
        }
        return PLACES.name(seen.path()).map(path -> seen.how().name().toLowerCase(Locale.ROOT) + " " + path);
    }

    /**
     * How it stands now.
     *
     * @param name of the dependency
     * @throws IOException if it can't be looked at
     */
    public String now(String name) throws IOException {
        if (name.equals(ENVIRONMENT)) {
            return InheritedEnvironment.digest();
        }
        int space = name.indexOf(' ');
        SeenFile.How how = SeenFile.How.valueOf(name.substring(0, space).toUpperCase(Locale.ROOT));
        Path path = PLACES.path(name.substring(space + 1));
        try {
            return digest(
                    switch (how) {
                        case READ -> attributes(path, true) + " " + content(path);
                        case ASK -> attributes(path, true);
                        case LINK -> attributes(path, false);
                        case LIST -> attributes(path, true) + " " + names(path);
                    });
        } catch (FileSystemException e) {
            // Not there, or not to be reached, as for a program.
            return NOTHING_THERE;
        }
    }

    /** Whether its times change all the time. */
    static boolean isChanging(Path folder) throws IOException {
        return isChangingItself(folder.toRealPath());
    }

    private static boolean isChangingItself(Path real) {
        return WORKING_FOLDER.startsWith(real) || CHANGING_FOLDERS.contains(real) || PLACES.isOfContainer(real);
    }

    private String attributes(Path path, boolean follows) throws IOException {
        LinkOption[] options = follows ? new LinkOption[0] : new LinkOption[] {LinkOption.NOFOLLOW_LINKS};
        UnixAttributes now = UnixAttributes.of(path, options);
        Path real = follows || now.isFolder() ? path.toRealPath() : path;
        String what =
                now.mode() + " " + now.owner() + " " + (now.isFolder() ? PLACES.shownFolder(real) : PLACES.shown(real));
        if (Files.isSymbolicLink(path)) {
            what += " -> " + PLACES.shown(Files.readSymbolicLink(path));
        }
        if (now.isFolder()) {
            return isChangingItself(real) ? what : what + time(now);
        }
        return now.isOrdinary() ? what + " " + now.size() + time(now) : what + " " + now.device();
    }

    private String time(UnixAttributes now) {
        return timesCount ? " " + now.changedNs() : "";
    }

    private static String content(Path path) throws IOException {
        UnixAttributes now = UnixAttributes.of(path);
        if (!now.isOrdinary()) {
            return "no ordinary file";
        }
        String key = path.toRealPath() + " " + now.stamp();
        String known = CONTENTS.get(key);
        if (known != null) {
            return known;
        }
        MessageDigest digest = DigestAlgorithm.SHA_256.newMessageDigest();
        try (InputStream in = new DigestInputStream(Files.newInputStream(path), digest)) {
            in.transferTo(java.io.OutputStream.nullOutputStream());
        }
        String content = Fingerprint.of(digest.digest()).toString();
        if (System.currentTimeMillis() * 1_000_000L - now.statusChangedNs() > SURE_AFTER_NS) {
            CONTENTS.put(key, content);
        }
        return content;
    }

    private static String names(Path folder) throws IOException {
        try (Stream<Path> children = Files.list(folder)) {
            return children.map(child -> String.valueOf(child.getFileName()) + kind(child))
                    .sorted()
                    .collect(Collectors.joining("\n"));
        }
    }

    /** What a listing tells of an entry beside its name. */
    private static String kind(Path child) {
        if (Files.isSymbolicLink(child)) {
            return "@";
        }
        if (Files.isDirectory(child)) {
            return "/";
        }
        return Files.isRegularFile(child) ? "" : "?";
    }

    private static String digest(String text) {
        return Fingerprint.ofData(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)))
                .toString();
    }
}
