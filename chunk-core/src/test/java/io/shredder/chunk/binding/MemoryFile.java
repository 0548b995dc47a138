// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk.binding;

import io.shredder.chunk.Fingerprint;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A file in memory, with what lies beside it and what attributes lead to. */
final class MemoryFile implements BoundFile {

    static final long PREFERRED = 1000;

    final Map<String, byte[]> siblings = new HashMap<>();
    final Map<Long, byte[]> inodes = new HashMap<>();
    final Map<String, byte[]> attributes = new HashMap<>();
    long fileId = 7;
    long lengthBytes;
    BlockLayout layout = new BlockLayout.Builder().build();
    String attributeFailure = "";
    long bytesRead;

    @Override
    public String name() {
        return "data";
    }

    @Override
    public long fileId() {
        return fileId;
    }

    @Override
    public long lengthBytes() {
        return lengthBytes;
    }

    @Override
    public long preferredBlockBytes() {
        return PREFERRED;
    }

    @Override
    public List<Long> blockLengths() {
        return layout.lengths();
    }

    @Override
    public Fingerprint blockDigest() {
        return layout.digest();
    }

    @Override
    public Optional<byte[]> attribute(String name) throws IOException {
        if (!attributeFailure.isEmpty()) {
            throw new IOException(attributeFailure);
        }
        return Optional.ofNullable(attributes.get(name));
    }

    @Override
    public ManifestFile sibling(String siblingName) throws IOException {
        return read("/dir/" + siblingName, siblings.get(siblingName));
    }

    @Override
    public ManifestFile inode(long id) throws IOException {
        return read("/inodes/" + id, inodes.get(id));
    }

    private ManifestFile read(String path, byte[] bytes) throws IOException {
        if (bytes == null) {
            throw new FileNotFoundException(path);
        }
        ByteArrayInputStream in = new ByteArrayInputStream(bytes);
        ManifestFile found = ManifestFile.read(in, path, fileId);
        bytesRead += bytes.length - in.available();
        return found;
    }
}
