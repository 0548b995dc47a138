// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.agent.lists.PagePacks;
import io.shredder.backup.agent.lists.SnapshotFile;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StoredFile;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The snapshots' files as they lie in a storage. */
final class SnapshotFiles {

    private static final Pattern FILE = Pattern.compile(Catalogue.FOLDER + "/([^/]+)/([^/]+)/([0-9]{16})\\.snapshot");

    private SnapshotFiles() {}

    /** Which files are left out. */
    interface Filter {
        boolean leavesOut(long id, String file) throws IOException;
    }

    /** The files there are, by the id in their names. */
    static Map<Long, StoredFile> list(Storage storage, Filter filter) throws IOException {
        TreeMap<Long, StoredFile> files = new TreeMap<>();
        for (StoredFile file : storage.list(Catalogue.FOLDER)) {
            long id = id(file.name());
            if (filter.leavesOut(id, file.name())) {
                continue;
            }
            StoredFile other = files.put(id, file);
            if (other != null) {
                throw new DamagedDataException(
                        file.name(), 0, "has the same id as " + other.name() + ": move one elsewhere");
            }
        }
        return files;
    }

    private static Matcher parts(String file) throws DamagedDataException {
        Matcher matcher = FILE.matcher(file);
        if (!matcher.matches()) {
            throw new DamagedDataException(file, 0, "not a snapshot's name: move it elsewhere");
        }
        return matcher;
    }

    static long id(String file) throws DamagedDataException {
        return Long.parseLong(parts(file).group(3));
    }

    /** What a file says that it is; what its name says if it can't be read. */
    static CatalogueRecord record(Storage storage, StoredFile stored, PagePacks packs) throws DamagedDataException {
        CatalogueRecord.Found named = named(stored.name());
        try (SnapshotFile opened = open(storage, CatalogueEntry.of(named), Optional.empty(), packs)) {
            return new CatalogueRecord.Committed(named.namespace(), opened.info(), stored.bytes());
        } catch (IOException e) {
            return named;
        }
    }

    private static CatalogueRecord.Found named(String file) throws DamagedDataException {
        Matcher parts = parts(file);
        try {
            return new CatalogueRecord.Found(
                    new SnapshotName(parts.group(1)), new SnapshotName(parts.group(2)), Long.parseLong(parts.group(3)));
        } catch (IllegalArgumentException e) {
            throw new DamagedDataException(file, 0, "not a snapshot's name: move it elsewhere");
        }
    }

    /**
     * Opens a file and checks that it is what its path and the record say.
     *
     * @param recorded absent if nothing is
     */
    static SnapshotFile open(Storage storage, CatalogueEntry entry, Optional<SnapshotInfo> recorded, PagePacks packs)
            throws IOException {
        SnapshotFile opened = SnapshotFile.open(storage, entry.file(), packs);
        SnapshotInfo info = opened.info();
        String problem = "";
        if (info.id() != entry.id()
                || !opened.namespace().equals(entry.namespace())
                || !info.name().equals(entry.name())) {
            problem = "holds snapshot " + info.id() + " of " + opened.namespace() + "/" + info.name();
        } else if (recorded.isPresent() && !recorded.get().equals(info)) {
            problem = "is not the snapshot that was committed as " + entry.id() + " on "
                    + recorded.get().received();
        }
        if (!problem.isEmpty()) {
            opened.close();
            throw new DamagedDataException(entry.file(), 0, problem);
        }
        return opened;
    }
}
