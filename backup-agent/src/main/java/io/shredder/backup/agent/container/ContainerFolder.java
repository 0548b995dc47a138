// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.agent.file.FileHeader;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where containers are: {@code containers/00000/00000001.container}, numbers hexadecimal, 4096 to a folder.
 *
 * @param root the folder "containers"
 * @param repository that they belong to
 */
public record ContainerFolder(Path root, UUID repository) {

    private static final Pattern NAME = Pattern.compile("([0-9a-f]{8})\\.container");
    private static final int PER_FOLDER_BITS = 12;

    Path path(int container) {
        return subfolder(container).resolve(String.format("%08x.container", container));
    }

    Path subfolder(int container) {
        return root.resolve(String.format("%05x", container >>> PER_FOLDER_BITS));
    }

    /** A container's name in errors: its path under the repository. */
    public String name(int container) {
        return "containers/" + root.relativize(path(container));
    }

    FileHeader header(int container) {
        return new FileHeader(FileHeader.CONTAINER_MAGIC, FileHeader.VERSION, container, repository);
    }

    /** A container's length. */
    public long size(int container) throws IOException {
        return Files.size(path(container));
    }

    /** Makes a container's contents and name durable. */
    public void force(int container) throws IOException {
        try (FileChannel channel = FileChannel.open(path(container), StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        DurableFiles.forceFolder(subfolder(container));
    }

    /** Cuts a container's torn tail off, durably. */
    public void cut(int container, int end) throws IOException {
        try (FileChannel channel = FileChannel.open(path(container), StandardOpenOption.WRITE)) {
            channel.truncate(end);
            channel.force(true);
        }
    }

    /** Deletes a container that holds nothing, or nothing that is needed, durably. */
    public void delete(int container) throws IOException {
        Files.delete(path(container));
        DurableFiles.forceFolder(subfolder(container));
    }

    /** The numbers of all containers, ascending. */
    public List<Integer> numbers() throws IOException {
        List<Integer> numbers = new ArrayList<>();
        if (!Files.isDirectory(root)) {
            return numbers;
        }
        try (Stream<Path> files = Files.walk(root, 2)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                Matcher matcher = NAME.matcher(String.valueOf(file.getFileName()));
                int number = matcher.matches() ? Integer.parseUnsignedInt(matcher.group(1), 16) : 0;
                if (number < 1 || !path(number).equals(file)) {
                    throw new DamagedDataException(
                            "containers/" + root.relativize(file), 0, "not a container's name: move it elsewhere");
                }
                numbers.add(number);
            }
        }
        numbers.sort(null);
        return numbers;
    }
}
