// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A block device by the kernel's count of writes to it, and by its sequence number, which another disk in its place
 * doesn't have.
 */
final class WatchedDevice implements ChangeWatch {

    /**
     * Field of {@code stat}, from 0: how many writes were completed (the kernel's {@code
     * Documentation/block/stat.rst}).
     */
    private static final int WRITES_FIELD = 4;

    private final Path folder;
    private final Optional<Long> writes;
    private final Optional<String> sequence;

    /** @param folder of the device in sysfs; without it nothing is known */
    WatchedDevice(Path folder) throws IOException {
        this.folder = folder;
        this.writes = writes(folder);
        this.sequence = sequence(folder);
    }

    static WatchedDevice of(Path device) throws IOException {
        long number = (Long) Files.getAttribute(device, "unix:rdev");
        long major = (number >> 8 & 0xfff) | (number >> 32 & ~0xfffL);
        long minor = (number & 0xff) | (number >> 12 & ~0xffL);
        return new WatchedDevice(Path.of("/sys/dev/block", major + ":" + minor));
    }

    private static Optional<Long> writes(Path folder) throws IOException {
        Optional<String> stat = read(folder.resolve("stat"));
        return stat.map(line -> line.split("\\s+"))
                .filter(fields -> fields.length > WRITES_FIELD)
                .map(fields -> Long.parseLong(fields[WRITES_FIELD]));
    }

    /** A partition has that of its disk. */
    private static Optional<String> sequence(Path folder) throws IOException {
        Optional<String> own = read(folder.resolve("diskseq"));
        return own.isPresent() || !Files.exists(folder)
                ? own
                : read(folder.toRealPath().resolveSibling("diskseq"));
    }

    private static Optional<String> read(Path file) throws IOException {
        return Files.isReadable(file)
                ? Optional.of(Files.readString(file, StandardCharsets.US_ASCII).strip())
                : Optional.empty();
    }

    @Override
    public Optional<String> change() throws IOException {
        if (!sequence(folder).equals(sequence)) {
            return Optional.of("another disk took the device's place");
        }
        Optional<Long> now = writes(folder);
        return now.isPresent() && writes.isPresent() && !now.equals(writes)
                ? Optional.of("the device was written " + (now.get() - writes.get()) + " times")
                : Optional.empty();
    }
}
