// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.file.FileHeader;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The manifest on disk: header, salt, id of the index key, and the sealed contents. It appears by rename, under a new
 * key each time. The writer and the merging thread both publish; one waits for the other.
 */
final class IndexManifestFile {

    static final String NAME = "manifest";
    private static final String TEMPORARY = "manifest.tmp";
    private static final int CLEAR_BYTES = IndexFiles.PREAMBLE_BYTES + IndexKey.ID_BYTES;
    private static final int MAX_BYTES = 1 << 20;

    private final IndexFiles files;
    private IndexManifest current;
    private @Nullable IOException failure;

    private IndexManifestFile(IndexFiles files, IndexManifest current) {
        this.files = files;
        this.current = current;
    }

    static IndexManifestFile create(IndexFiles files) throws IOException {
        IndexManifestFile file = new IndexManifestFile(files, IndexManifest.EMPTY);
        file.publish(manifest -> manifest);
        return file;
    }

    static IndexManifestFile open(IndexFiles files) throws IOException {
        String name = IndexFiles.name(NAME);
        try (IndexFolder.File file = files.open(NAME)) {
            int length = (int) Math.min(file.size(), MAX_BYTES);
            byte[] bytes = IndexFiles.read(file, NAME, 0, length);
            byte[] salt = files.readPreamble(
                    ByteBuffer.wrap(bytes), FileHeader.INDEX_MANIFEST_MAGIC, FileHeader.VERSION, 0, NAME);
            int sealedBytes = length - CLEAR_BYTES;
            if (sealedBytes < Sealing.TAG_BYTES) {
                throw new DamagedDataException(name, length, "ends too early");
            }
            byte[] preamble = Arrays.copyOf(bytes, IndexFiles.PREAMBLE_BYTES);
            byte[] plain = new byte[sealedBytes - Sealing.TAG_BYTES];
            Sealing.Piece sealed = new Sealing.Piece(bytes, CLEAR_BYTES, sealedBytes);
            boolean whole = files.manifestSealing(salt).open(0, 0, preamble, sealed, plain, 0);
            checkKey(files, Arrays.copyOfRange(bytes, IndexFiles.PREAMBLE_BYTES, CLEAR_BYTES), whole);
            if (!whole) {
                throw new DamagedDataException(name, FileHeader.BYTES, "it is not as it was sealed");
            }
            return new IndexManifestFile(files, IndexManifest.read(plain, name, CLEAR_BYTES));
        }
    }

    private static void checkKey(IndexFiles files, byte[] id, boolean opened) throws IOException {
        if (Arrays.equals(id, files.key().id(files.repository()))) {
            return;
        }
        if (opened) {
            throw new DamagedDataException(
                    IndexFiles.name(NAME),
                    IndexFiles.PREAMBLE_BYTES,
                    "the id of the key is not that of the key that opens it");
        }
        throw new WrongIndexKeyException();
    }

    synchronized IndexManifest current() {
        return current;
    }

    /**
     * Publishes what the change makes of the current manifest. If there is no room for it, the current one stays. If
     * the rename fails, nobody knows which one is on disk, and nothing may be written until the index is opened again.
     */
    synchronized IndexManifest publish(UnaryOperator<IndexManifest> change) throws IOException {
        checkUsable();
        IndexManifest next = change.apply(current);
        try (IndexFolder.File file = files.folder().create(TEMPORARY)) {
            file.write(encode(next), 0);
            file.force();
        }
        try {
            files.folder().rename(TEMPORARY, NAME);
            files.folder().force();
        } catch (IOException e) {
            failure = e;
            throw e;
        }
        current = next;
        return next;
    }

    /**
     * Whoever makes files that the manifest is to name asks before: one that it may already name must not be written
     * again.
     */
    synchronized void checkUsable() throws IOException {
        if (failure != null) {
            throw new IOException("the index can't be written since an earlier error; restart the agent", failure);
        }
    }

    private ByteBuffer encode(IndexManifest manifest) {
        byte[] salt = IndexKey.newSalt();
        byte[] plain = manifest.encode();
        byte[] bytes = new byte[CLEAR_BYTES + plain.length + Sealing.TAG_BYTES];
        ByteBuffer.wrap(bytes)
                .put(files.preamble(FileHeader.INDEX_MANIFEST_MAGIC, FileHeader.VERSION, 0, salt))
                .put(files.key().id(files.repository()));
        byte[] preamble = Arrays.copyOf(bytes, IndexFiles.PREAMBLE_BYTES);
        Sealing.Piece contents = new Sealing.Piece(plain, 0, plain.length);
        files.manifestSealing(salt).seal(0, 0, preamble, contents, bytes, CLEAR_BYTES);
        return ByteBuffer.wrap(bytes);
    }
}
