// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.powerloss;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a disk holds while changes are applied to it, and what it may hold after its power failed. That is what was
 * forced, and any part of the rest in any order: names, and of writes any sectors of {@value #SECTOR_BYTES} bytes. A
 * name is durable only once its folder was forced, a file's bytes only once the file was.
 */
public final class DiskImage {

    private static final int SECTOR_BYTES = 512;
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    /** What of that which was not forced is left. */
    public enum Loss {
        /** Nothing. */
        ALL_UNFORCED,
        /** Everything but a part of the last write. */
        TORN_LAST_WRITE,
        /** Any names, any sectors. */
        ANY_UNFORCED,
        /** Everything, but one file is as it was forced the time before: the disk had not done what it said. */
        LIED
    }

    /** A file's bytes now, and as they were forced. */
    private static final class Contents {
        private byte[] now = new byte[0];
        private byte[] forced = new byte[0];
        private byte[] forcedBefore = new byte[0];
    }

    private final Map<Integer, Contents> files = new HashMap<>();
    private final TreeMap<String, Integer> names = new TreeMap<>();
    private final TreeMap<String, Integer> forcedNames = new TreeMap<>();
    private final TreeSet<String> folders = new TreeSet<>();
    private final TreeSet<String> forcedFolders = new TreeSet<>();
    /** Changes of names since each was last forced, in order. */
    private final List<DiskChange> unforced = new ArrayList<>();

    private DiskChange.Write lastWrite = new DiskChange.Write(-1, 0, new byte[0]);
    private byte[] beforeLastWrite = new byte[0];

    /** Applies a change. */
    public void apply(DiskChange change) {
        if (change instanceof DiskChange.Write write) {
            write(write);
        } else if (change instanceof DiskChange.Truncate truncate) {
            Contents contents = contents(truncate.file());
            contents.now = Arrays.copyOf(contents.now, Math.toIntExact(truncate.bytes()));
        } else if (change instanceof DiskChange.ForceFile force) {
            Contents contents = contents(force.file());
            contents.forcedBefore = contents.forced;
            contents.forced = contents.now.clone();
        } else if (change instanceof DiskChange.ForceFolder force) {
            forceFolder(force.name());
        } else if (!(change instanceof DiskChange.Mark)) {
            if (change instanceof DiskChange.Create create) {
                files.put(create.file(), new Contents());
            }
            changeNames(change, names, folders);
            unforced.add(change);
        }
        if (!(change instanceof DiskChange.Write)) {
            lastWrite = new DiskChange.Write(-1, 0, new byte[0]);
        }
    }

    /** A file's bytes now; stay this one's. */
    byte[] now(int file) {
        return contents(file).now;
    }

    private Contents contents(int file) {
        return files.computeIfAbsent(file, number -> new Contents());
    }

    private void write(DiskChange.Write write) {
        Contents contents = contents(write.file());
        lastWrite = write;
        beforeLastWrite = contents.now;
        int end = Math.toIntExact(write.at()) + write.bytes().length;
        contents.now = Arrays.copyOf(contents.now, Math.max(end, contents.now.length));
        System.arraycopy(write.bytes(), 0, contents.now, (int) write.at(), write.bytes().length);
    }

    private static void changeNames(DiskChange change, Map<String, Integer> names, Set<String> folders) {
        if (change instanceof DiskChange.Create create) {
            names.put(create.name(), create.file());
        } else if (change instanceof DiskChange.MakeFolder made) {
            folders.add(made.name());
        } else if (change instanceof DiskChange.Delete delete) {
            names.remove(delete.name());
            folders.remove(delete.name());
        } else if (change instanceof DiskChange.Rename rename) {
            Integer file = names.remove(rename.from());
            if (file != null) {
                names.put(rename.to(), file);
            }
        }
    }

    private void forceFolder(String folder) {
        for (DiskChange change : List.copyOf(unforced)) {
            if (change instanceof DiskChange.Rename rename
                    && !isIn(folder, rename.to())
                    && isIn(folder, rename.from())) {
                forcedNames.remove(rename.from());
            } else if (concerns(folder, change)) {
                changeForcedNames(change);
                unforced.remove(change);
            }
        }
    }

    /** A rename names the file by what it was when it was renamed. */
    private void changeForcedNames(DiskChange change) {
        if (change instanceof DiskChange.Rename rename) {
            Integer file = fileOf(rename);
            forcedNames.remove(rename.from());
            if (file != null) {
                forcedNames.put(rename.to(), file);
            }
        } else {
            changeNames(change, forcedNames, forcedFolders);
        }
    }

    private Integer fileOf(DiskChange.Rename rename) {
        TreeMap<String, Integer> replayed = new TreeMap<>(forcedNames);
        for (DiskChange change : unforced) {
            if (change == rename) {
                return replayed.get(rename.from());
            }
            changeNames(change, replayed, new TreeSet<>());
        }
        return null;
    }

    private static boolean concerns(String folder, DiskChange change) {
        return (change instanceof DiskChange.Create create && isIn(folder, create.name()))
                || (change instanceof DiskChange.MakeFolder made && isIn(folder, made.name()))
                || (change instanceof DiskChange.Delete delete && isIn(folder, delete.name()))
                || (change instanceof DiskChange.Rename rename && isIn(folder, rename.to()));
    }

    private static boolean isIn(String folder, String name) {
        int slash = name.lastIndexOf('/');
        return folder.equals(slash < 0 ? "" : name.substring(0, slash));
    }

    /**
     * Writes what a disk may hold now to a folder that is empty.
     *
     * @return the file about which the disk lied, or nothing
     */
    public String writeTo(Path target, Loss loss, Random random) throws IOException {
        boolean allNames = loss == Loss.TORN_LAST_WRITE || loss == Loss.LIED;
        TreeMap<String, Integer> left = new TreeMap<>(allNames ? names : forcedNames);
        TreeSet<String> leftFolders = new TreeSet<>(allNames ? folders : forcedFolders);
        String stale = loss == Loss.LIED ? List.copyOf(names.keySet()).get(random.nextInt(names.size())) : "";
        if (loss == Loss.ANY_UNFORCED) {
            keepSome(left, leftFolders, random);
        }
        Files.createDirectories(target);
        for (String folder : leftFolders) {
            Files.createDirectories(target.resolve(folder));
        }
        for (Map.Entry<String, Integer> entry : left.entrySet()) {
            Path file = target.resolve(entry.getKey());
            if (Files.isDirectory(file.getParent())) { // A file of a folder that is lost is lost, too.
                Files.write(file, bytes(entry.getValue(), loss, entry.getKey().equals(stale), random));
                Files.setPosixFilePermissions(file, OWNER_ONLY); // As keys need it.
            }
        }
        return stale;
    }

    private void keepSome(TreeMap<String, Integer> left, TreeSet<String> leftFolders, Random random) {
        TreeMap<String, Integer> replayed = new TreeMap<>(forcedNames);
        for (DiskChange change : unforced) {
            boolean kept = random.nextBoolean();
            if (kept && change instanceof DiskChange.Rename rename) {
                Integer file = replayed.get(rename.from());
                left.remove(rename.from());
                if (file != null) {
                    left.put(rename.to(), file);
                }
            } else if (kept) {
                changeNames(change, left, leftFolders);
            }
            changeNames(change, replayed, new TreeSet<>());
        }
    }

    private byte[] bytes(int file, Loss loss, boolean stale, Random random) {
        Contents contents = contents(file);
        return switch (loss) {
            case ALL_UNFORCED -> contents.forced;
            case TORN_LAST_WRITE ->
                lastWrite.file() == file ? torn(beforeLastWrite, contents.now, random) : contents.now;
            case LIED -> stale ? contents.forcedBefore : contents.now;
            case ANY_UNFORCED -> random.nextInt(3) == 0 ? contents.now : torn(contents.forced, contents.now, random);
        };
    }

    /** A length between both, and of each sector the old or the new bytes; where there were none, zeros. */
    private static byte[] torn(byte[] before, byte[] after, Random random) {
        int longest = Math.max(before.length, after.length);
        int shortest = Math.min(before.length, after.length);
        int length = shortest + random.nextInt(longest - shortest + 1);
        byte[] left = Arrays.copyOf(before, length);
        boolean inOrder = random.nextBoolean();
        int upTo = random.nextInt(length + 1);
        for (int at = 0; at < length; at += SECTOR_BYTES) {
            int end = Math.min(Math.min(at + SECTOR_BYTES, length), after.length);
            if (end > at && (inOrder ? at < upTo : random.nextBoolean())) {
                System.arraycopy(after, at, left, at, end - at);
            }
        }
        return left;
    }
}
