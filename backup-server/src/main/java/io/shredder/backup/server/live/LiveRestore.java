// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.live;

import io.shredder.backup.server.nbd.NbdVolume;
import io.shredder.backup.server.nbd.WritableVolume;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.text.SnapshotText;
import io.shredder.backup.snapshot.SnapshotInfo;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * A restore to a file that is used at once. Until all is there the bytes are in {@code TARGET.shredder-live}, and
 * {@code TARGET.shredder-live-map} says which; then the first gets the target's name and the second goes. So a file of
 * the target's name is whole. Killed at any moment, it goes on when it is opened again: a loss of power costs nothing
 * that was flushed, the program's end nothing that was written.
 *
 * <p>Safe for any number of threads; one of its own, {@code live-fill}.
 */
public final class LiveRestore implements Closeable {

    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    private final Path target;
    private final LiveData data;
    private final LiveMap map;
    private final LiveVolume volume;
    private final LiveFill fill;

    private LiveRestore(Path target, NbdVolume backup, LiveData data, LiveMap map, Fill options) {
        this.target = target;
        this.data = data;
        this.map = map;
        GuestTraffic traffic = new GuestTraffic();
        this.volume = new LiveVolume(backup, data, map, traffic);
        this.fill =
                new LiveFill(backup, volume, map, traffic, options.bytesPerSecond(), options.lines(), this::complete);
    }

    /**
     * How the target is filled.
     *
     * @param bytesPerSecond at most; 0 for any rate
     * @param lines gets a line for what stands in the way
     */
    public record Fill(long bytesPerSecond, Consumer<String> lines) {}

    /** Which snapshot a target has been begun with, if it was. */
    public static Optional<SnapshotChoice> begun(Path target) throws IOException {
        Path map = mapOf(target);
        if (!Files.exists(map)) {
            return Optional.empty();
        }
        LiveHeader header = LiveMap.header(map);
        return Optional.of(new SnapshotChoice(header.name(), OptionalLong.of(header.id())));
    }

    /**
     * Begins, or goes on with what was begun, and starts to fill.
     *
     * @param backup the snapshot's bytes; stays the caller's
     * @throws IOException also if the target is there already, or was begun with another snapshot
     */
    public static LiveRestore open(Path target, NbdVolume backup, SnapshotInfo snapshot, Fill options)
            throws IOException {
        LiveRestore opened = open(target, backup, snapshot, options, boot());
        opened.startFilling();
        return opened;
    }

    /** The same, filling nothing yet. */
    static LiveRestore open(Path target, NbdVolume backup, SnapshotInfo snapshot, Fill options, UUID boot)
            throws IOException {
        Path path = target.toAbsolutePath();
        checkTarget(path);
        begin(path, snapshot);
        LiveMap map = LiveMap.open(mapOf(path), boot);
        try {
            return new LiveRestore(path, backup, data(path, map), map, options);
        } catch (IOException e) {
            map.close();
            throw e;
        }
    }

    /** Claims count for one run of the system; where that has no name, for this process alone. */
    private static UUID boot() throws IOException {
        return Files.exists(BOOT_ID) ? UUID.fromString(Files.readString(BOOT_ID).strip()) : UUID.randomUUID();
    }

    /** Where the bytes are until all are there. */
    static Path dataOf(Path target) {
        return target.resolveSibling(target.getFileName() + ".shredder-live");
    }

    /** Where it is said which. */
    static Path mapOf(Path target) {
        return target.resolveSibling(target.getFileName() + ".shredder-live-map");
    }

    private static void checkTarget(Path target) throws IOException {
        Path folder = target.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new IOException("folder " + folder + " doesn't exist: make it first");
        }
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(target
                    + (removeMapLeft(target)
                            ? " is whole already: use it"
                            : " exists: name another file with --to, or remove it"));
        }
    }

    /** Returns whether a run died between giving the target its name and removing the map. */
    private static boolean removeMapLeft(Path target) throws IOException {
        if (!Files.exists(mapOf(target)) || Files.exists(dataOf(target))) {
            return false;
        }
        try (LiveMap map = LiveMap.open(mapOf(target), MapSector.DURABLE)) {
            if (map.isWhole()) {
                map.retire();
            }
            return map.isWhole();
        }
    }

    private static void begin(Path target, SnapshotInfo snapshot) throws IOException {
        Path map = mapOf(target);
        if (!Files.exists(map)) {
            if (Files.exists(dataOf(target))) {
                throw new IOException(dataOf(target) + " is there without " + map
                        + ", which says what it has: remove it to begin anew, or bring the map back");
            }
            LiveMap.create(map, LiveHeader.of(snapshot));
        }
        LiveHeader header = LiveMap.header(map);
        if (!header.contentDigest().equals(snapshot.contentDigest()) || header.imageBytes() != snapshot.imageBytes()) {
            throw new IOException(target + " was begun with " + header.name() + "@" + header.id() + ", not with "
                    + SnapshotText.name(snapshot) + ": go on with that one, or name another file with --to");
        }
    }

    private static LiveData data(Path target, LiveMap map) throws IOException {
        Path data = dataOf(target);
        boolean isNew = map.presentBlocks() == 0;
        if (Files.exists(data)) {
            return LiveData.open(data, map.header().imageBytes(), isNew);
        } else if (isNew) {
            return LiveData.create(data, map.header().imageBytes());
        }
        throw new IOException(data + " is gone, of which " + mapOf(target)
                + " says what it has: bring it back, or remove the map to begin anew");
    }

    void startFilling() {
        fill.start();
    }

    /** The image, to be read and written. */
    public WritableVolume volume() {
        return volume;
    }

    private void complete() throws IOException {
        volume.makeDurable();
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(target + " has appeared meanwhile: remove it");
        }
        Files.move(dataOf(target), target, StandardCopyOption.ATOMIC_MOVE);
        LiveData.forceFolder(target);
        map.retire();
    }

    /** How far it is. */
    public LiveState state() {
        return fill.state();
    }

    /** Waits until nothing is to be filled any more, or it is closed. */
    public LiveState awaitFilled() throws InterruptedException {
        return fill.awaitEnd();
    }

    /** Fills no more; what uses the image goes on. */
    public void endFilling() {
        fill.close();
    }

    /** How much of the image is there. */
    public long presentBytes() {
        return Math.min(
                map.header().imageBytes(), map.presentBlocks() * map.header().blockBytes());
    }

    /** Ends. What was written is made durable, as far as the disk takes it; open again to go on. */
    @Override
    public void close() throws IOException {
        fill.close();
        try (map;
                data) {
            if (map.failure() == null) {
                volume.makeDurable();
            }
        }
    }
}
