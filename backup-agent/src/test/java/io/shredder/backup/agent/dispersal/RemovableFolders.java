// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The folders of a store's keepers; each can be taken away and brought back, as a disk can. */
final class RemovableFolders {

    private final Path root;
    private final int data;
    private final int parity;

    private RemovableFolders(Path root, int data, int parity) {
        this.root = root;
        this.data = data;
        this.parity = parity;
    }

    /** Empty ones. */
    static RemovableFolders make(Path root, int data, int parity) throws IOException {
        RemovableFolders folders = new RemovableFolders(root, data, parity);
        for (int i = 0; i < data + parity; i++) {
            Files.createDirectories(folders.keeper(i));
        }
        return folders;
    }

    int count() {
        return data + parity;
    }

    int data() {
        return data;
    }

    int parity() {
        return parity;
    }

    Path keeper(int index) {
        return root.resolve("keeper" + index);
    }

    private Path away(int index) {
        return root.resolve("away" + index);
    }

    DispersalConfig config() {
        return new DispersalConfig(
                data, parity, IntStream.range(0, count()).mapToObj(this::keeper).toList());
    }

    DispersedStorage open() throws IOException {
        return DispersedStorage.open(config());
    }

    void takeAway(int index) throws IOException {
        Files.move(keeper(index), away(index));
    }

    void bringBack(int index) throws IOException {
        Files.move(away(index), keeper(index));
    }

    /** All but these; whoever is away must be brought back. */
    List<Integer> takeAwayAllBut(List<Integer> these) throws IOException {
        List<Integer> taken = new ArrayList<>();
        for (int i = 0; i < count(); i++) {
            if (!these.contains(i)) {
                takeAway(i);
                taken.add(i);
            }
        }
        return taken;
    }

    void bringBack(List<Integer> these) throws IOException {
        for (int index : these) {
            bringBack(index);
        }
    }

    /** All files of a keeper that are versions of a file. */
    List<Path> files(int index) throws IOException {
        try (Stream<Path> files = Files.walk(keeper(index).resolve(StoredVersion.FOLDER))) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** The first file of a keeper whose path has these words. */
    Path shardOf(int index, String words) throws IOException {
        return files(index).stream()
                .filter(file -> file.toString().contains(words))
                .findFirst()
                .orElseThrow();
    }

    /** Every choice of so many keepers. */
    static List<List<Integer>> choices(int keepers, int size) {
        return IntStream.range(0, 1 << keepers)
                .filter(set -> Integer.bitCount(set) == size)
                .mapToObj(set -> IntStream.range(0, keepers)
                        .filter(i -> (set >> i & 1) == 1)
                        .boxed()
                        .toList())
                .toList();
    }
}
