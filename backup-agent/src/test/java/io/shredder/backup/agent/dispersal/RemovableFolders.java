// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.home.LocalHome;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** The folders of a store's keepers; each can be taken away and brought back, as a disk can. */
public final class RemovableFolders {

    private final Path root;
    private final int data;
    private final int parity;

    private RemovableFolders(Path root, int data, int parity) {
        this.root = root;
        this.data = data;
        this.parity = parity;
    }

    /** Empty ones. */
    public static RemovableFolders make(Path root, int data, int parity) throws IOException {
        RemovableFolders folders = new RemovableFolders(root, data, parity);
        for (int i = 0; i < data + parity; i++) {
            Files.createDirectories(folders.keeper(i));
        }
        return folders;
    }

    public int count() {
        return data + parity;
    }

    public int data() {
        return data;
    }

    public int parity() {
        return parity;
    }

    public Path keeper(int index) {
        return root.resolve("keeper" + index);
    }

    public KeeperHome home(int index) {
        return new LocalHome(keeper(index));
    }

    private Path away(int index) {
        return root.resolve("away" + index);
    }

    public DispersalConfig config() {
        return new DispersalConfig(
                data, parity, IntStream.range(0, count()).mapToObj(this::home).toList());
    }

    public DispersedStorage open() throws IOException {
        return DispersedStorage.open(config());
    }

    public void takeAway(int index) throws IOException {
        Files.move(keeper(index), away(index));
    }

    public void bringBack(int index) throws IOException {
        Files.move(away(index), keeper(index));
    }

    /** Its disk dies: an empty one is in its place, and the old one lies beside it under that name. */
    public void exchange(int index, String old) throws IOException {
        Files.move(keeper(index), root.resolve(old));
        Files.createDirectory(keeper(index));
    }

    /** An old disk is in the place of the keeper, which lies beside it under that name. */
    public void putBack(int index, String old, String aside) throws IOException {
        Files.move(keeper(index), root.resolve(aside));
        Files.move(root.resolve(old), keeper(index));
    }

    /** All but these; whoever is away must be brought back. */
    public List<Integer> takeAwayAllBut(List<Integer> these) throws IOException {
        List<Integer> taken = new ArrayList<>();
        for (int i = 0; i < count(); i++) {
            if (!these.contains(i)) {
                takeAway(i);
                taken.add(i);
            }
        }
        return taken;
    }

    public void bringBack(List<Integer> these) throws IOException {
        for (int index : these) {
            bringBack(index);
        }
    }

    /** All files of a keeper that are versions of a file, also while it is written: what goes meanwhile isn't there. */
    public List<Path> files(int index) throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(keeper(index).resolve(StoredVersion.FOLDER), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                files.add(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException problem) throws IOException {
                if (problem instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw problem;
            }
        });
        Collections.sort(files);
        return files;
    }

    /** The first file of a keeper whose path has these words. */
    public Path shardOf(int index, String words) throws IOException {
        return files(index).stream()
                .filter(file -> file.toString().contains(words))
                .findFirst()
                .orElseThrow();
    }

    /** Every choice of so many keepers. */
    public static List<List<Integer>> choices(int keepers, int size) {
        return IntStream.range(0, 1 << keepers)
                .filter(set -> Integer.bitCount(set) == size)
                .mapToObj(set -> IntStream.range(0, keepers)
                        .filter(i -> (set >> i & 1) == 1)
                        .boxed()
                        .toList())
                .toList();
    }
}
