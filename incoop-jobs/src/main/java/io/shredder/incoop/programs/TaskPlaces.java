// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names for files that are the same in each run of a job. In a YARN container its working folder and what was brought
 * to it lie elsewhere each time. So these are named from the working folder, {@code ./NAME}, and from the folder that
 * holds what a link in it leads to, {@code @LINK/NAME}; folders above them by {@code ..}. Elsewhere the working folder
 * alone is so. All other names are absolute. Immutable.
 */
public final class TaskPlaces {

    private static final Logger LOG = LoggerFactory.getLogger(TaskPlaces.class);

    /** Where a NodeManager keeps what belongs to one application: ROOT/usercache/USER/appcache/APPLICATION. */
    private static final int DEPTH_OF_APPLICATION = 4;

    private static final String BROUGHT = "@";

    private static final TaskPlaces OF_THIS_JVM =
            of(System.getenv(), Path.of("").toAbsolutePath());

    private final Path workingFolder;
    private final List<Path> nodeFolders;
    private final List<Path> logFolders;
    private final SortedMap<String, Path> brought;

    private TaskPlaces(
            Path workingFolder, List<Path> nodeFolders, List<Path> logFolders, SortedMap<String, Path> brought) {
        this.workingFolder = workingFolder;
        this.nodeFolders = List.copyOf(nodeFolders);
        this.logFolders = List.copyOf(logFolders);
        this.brought = brought;
    }

    /** Those of this process. */
    public static TaskPlaces ofThisJvm() {
        return OF_THIS_JVM;
    }

    /**
     * Those of a process.
     *
     * @param environment by which a container is told from other processes
     * @param workingFolder absolute
     */
    static TaskPlaces of(Map<String, String> environment, Path workingFolder) {
        boolean isContainer =
                environment.getOrDefault("CONTAINER_ID", "").equals(String.valueOf(workingFolder.getFileName()));
        if (!isContainer) {
            return new TaskPlaces(workingFolder, List.of(), List.of(), new TreeMap<>());
        }
        List<Path> nodeFolders = new ArrayList<>();
        for (String folder : folders(environment, "LOCAL_DIRS")) {
            nodeFolders.add(above(Path.of(folder)));
        }
        List<Path> logFolders =
                folders(environment, "LOG_DIRS").stream().map(Path::of).toList();
        return new TaskPlaces(workingFolder, nodeFolders, logFolders, brought(workingFolder, nodeFolders));
    }

    private static List<String> folders(Map<String, String> environment, String name) {
        return Stream.of(environment.getOrDefault(name, "").split(",", -1))
                .filter(folder -> !folder.isEmpty())
                .toList();
    }

    /** The folder that holds all of a NodeManager's; the application's own if it lies otherwise than expected. */
    private static Path above(Path application) {
        int end = application.getNameCount() - DEPTH_OF_APPLICATION;
        boolean isAsExpected = end > 0
                && application.getName(end).toString().equals("usercache")
                && application.getName(end + 2).toString().equals("appcache");
        return isAsExpected ? Path.of("/").resolve(application.subpath(0, end)) : application;
    }

    private static SortedMap<String, Path> brought(Path workingFolder, List<Path> nodeFolders) {
        SortedMap<String, Path> brought = new TreeMap<>();
        try (Stream<Path> entries = Files.list(workingFolder)) {
            for (Path link : entries.filter(Files::isSymbolicLink).toList()) {
                Path target =
                        workingFolder.resolve(Files.readSymbolicLink(link)).normalize();
                Path folder = target.getParent();
                if (folder != null && nodeFolders.stream().anyMatch(folder::startsWith)) {
                    brought.put(String.valueOf(link.getFileName()), folder);
                }
            }
        } catch (IOException e) {
            LOG.debug("not listed", e);
        }
        return brought;
    }

    /** Of an absolute path, not normalised; empty if it lies in a container's places and has no name that stays. */
    public Optional<String> name(Path path) {
        if (path.startsWith(workingFolder)) {
            return Optional.of(below(".", workingFolder, path));
        }
        if (!isOfContainer(path)) {
            return Optional.of(path.toString());
        }
        Path normal = path.normalize();
        for (Map.Entry<String, Path> one : brought.entrySet()) {
            if (path.startsWith(one.getValue()) && normal.startsWith(one.getValue())) {
                return Optional.of(below(BROUGHT + one.getKey(), one.getValue(), path));
            }
        }
        if (workingFolder.startsWith(normal)) {
            return Optional.of(below(".", workingFolder, normal));
        }
        return brought.entrySet().stream()
                .filter(one -> one.getValue().startsWith(normal))
                .map(one -> below(BROUGHT + one.getKey(), one.getValue(), normal))
                .findFirst();
    }

    private static String below(String name, Path folder, Path path) {
        return Path.of(name).resolve(folder.relativize(path)).toString();
    }

    /**
     * What has this name here.
     *
     * @throws IOException if there is no such place in this process
     */
    public Path path(String name) throws IOException {
        if (!name.startsWith(BROUGHT)) {
            return workingFolder.resolve(name);
        }
        int end = name.indexOf('/');
        Path folder = brought.get(name.substring(BROUGHT.length(), end < 0 ? name.length() : end));
        if (folder == null) {
            throw new IOException("nothing was brought here as " + name);
        }
        return end < 0 ? folder : folder.resolve(name.substring(end + 1));
    }

    /**
     * Whether a NodeManager made it, or its folder, for containers, so that its times and neighbours change; or keeps
     * all of them in it, where it makes a folder and removes it every two minutes to see that the disk works.
     */
    public boolean isOfContainer(Path path) {
        Path normal = path.normalize();
        return Stream.concat(logFolders.stream(), nodeFolders.stream()).anyMatch(normal::startsWith);
    }

    /** Whether other containers' folders lie in it. */
    boolean isShared(Path folder) {
        Path normal = folder.normalize();
        return isOfContainer(folder)
                && !normal.startsWith(workingFolder)
                && brought.values().stream().noneMatch(normal::startsWith);
    }

    /** A path as a state shows it. */
    String shown(Path path) {
        return name(path).orElse(path.toString());
    }

    /**
     * A folder's real path as a state shows it: of those in which other containers' lie always the same, since it is by
     * chance on which of the node's disks a file was brought and the container works.
     */
    String shownFolder(Path real) {
        return isShared(real) ? "shared" : shown(real);
    }

    /** A text with the container's working folder, if this is one, as {@code .}. */
    String shown(String text) {
        return nodeFolders.isEmpty() ? text : text.replace(workingFolder.toString(), ".");
    }
}
