// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

import io.shredder.backup.agent.file.FileHeader;
import io.shredder.backup.agent.storage.ReadableFile;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StoredFile;
import io.shredder.chunk.DamagedDataException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where containers are: {@code containers/00000/00000001.container}, numbers hexadecimal, 4096 to a folder.
 *
 * @param storage that keeps them
 * @param repository that they belong to
 */
public record ContainerFolder(Storage storage, UUID repository) {

    /** In the storage. */
    public static final String FOLDER = "containers";

    private static final Pattern NAME = Pattern.compile(FOLDER + "/[0-9a-f]{5}/([0-9a-f]{8})\\.container");
    private static final int PER_FOLDER_BITS = 12;
    private static final Logger LOG = LoggerFactory.getLogger(ContainerFolder.class);

    /** A container's name in the storage and in errors. */
    public String name(int container) {
        return String.format("%s/%05x/%08x.container", FOLDER, container >>> PER_FOLDER_BITS, container);
    }

    /** Which repository a storage's containers belong to, by the first one whose header can be read. */
    public static Optional<UUID> repositoryOf(Storage storage) throws IOException {
        List<String> names =
                storage.list(FOLDER).stream().map(StoredFile::name).sorted().toList();
        for (String name : names) {
            try (ReadableFile file = storage.open(name)) {
                ByteBuffer head = ByteBuffer.allocate(FileHeader.BYTES);
                file.readFully(head, 0);
                return Optional.of(FileHeader.readAnyVersion(head.flip(), FileHeader.CONTAINER_MAGIC, name)
                        .repository());
            } catch (EOFException | DamagedDataException e) {
                LOG.warn("{} doesn't tell which repository it belongs to: {}", name, e.getMessage());
            }
        }
        return Optional.empty();
    }

    FileHeader header(int container) {
        return new FileHeader(FileHeader.CONTAINER_MAGIC, FileHeader.VERSION, container, repository);
    }

    /** A container's length. */
    public long size(int container) throws IOException {
        return storage.size(name(container));
    }

    /** When a container was last written, or space in it released, by the storage's clock. */
    public Instant lastModified(int container) throws IOException {
        return storage.lastModified(name(container));
    }

    /** Settles the length of a container whose writer may have died with it open. */
    public void endWriting(int container) throws IOException {
        storage.endWriting(name(container));
    }

    /** Makes a container's contents and name durable. */
    public void force(int container) throws IOException {
        storage.force(name(container));
    }

    /** Cuts a container's torn tail off, durably. */
    public void cut(int container, int end) throws IOException {
        storage.cut(name(container), end);
    }

    /** Deletes a container that holds nothing, or nothing that is needed, durably. */
    public void delete(int container) throws IOException {
        storage.delete(name(container));
    }

    /** The numbers of all containers, ascending. */
    public List<Integer> numbers() throws IOException {
        return new ArrayList<>(sizes().keySet());
    }

    /** The numbers of all containers, ascending, and how long each is. */
    public SortedMap<Integer, Long> sizes() throws IOException {
        SortedMap<Integer, Long> sizes = new TreeMap<>();
        for (StoredFile file : storage.list(FOLDER)) {
            Matcher matcher = NAME.matcher(file.name());
            int number = matcher.matches() ? Integer.parseUnsignedInt(matcher.group(1), 16) : 0;
            if (number < 1 || !name(number).equals(file.name())) {
                throw new DamagedDataException(file.name(), 0, "not a container's name: move it elsewhere");
            }
            sizes.put(number, file.bytes());
        }
        return sizes;
    }
}
