// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.history;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lines that are only added, in files of a limited length, of which the oldest go. A line is forced before {@link
 * #append} returns; one that a crash tore is cut off at the next opening, and damage is passed over and named.
 * Thread-safe; one process a folder.
 */
final class Journal implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);
    private static final String END = ".log";

    private final Path folder;
    private final String name;
    private final Limits limits;
    /** By the number of their first line; the last one is written. */
    private final NavigableMap<Long, Path> files = new TreeMap<>();

    private FileChannel channel;
    private long end;
    private long next;
    private final List<String> damage = new ArrayList<>();

    /**
     * How much is kept.
     *
     * @param fileBytes after which a new file begins
     * @param files at most; of more, the oldest go
     * @param filesToSearch how many one page looks through at most
     */
    record Limits(long fileBytes, int files, int filesToSearch) {}

    private Journal(Path folder, String name, Limits limits) throws IOException {
        this.folder = folder;
        this.name = name;
        this.limits = limits;
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, name + "-*" + END)) {
            for (Path file : found) {
                firstOf(file).ifPresent(first -> files.put(first, file));
            }
        }
        if (files.isEmpty()) {
            this.next = 1;
            this.channel = begin();
        } else {
            Path newest = files.lastEntry().getValue();
            this.next = files.lastKey();
            this.channel = FileChannel.open(newest, StandardOpenOption.WRITE);
            goOnBehind(newest);
        }
    }

    /**
     * Opens one.
     *
     * @param newest gets the lines of the newest two files, in their order
     */
    static Journal open(Path folder, String name, Limits limits, Consumer<JournalLine> newest) throws IOException {
        Journal journal = new Journal(folder, name, limits);
        for (Path file : journal.files.descendingMap().values().stream()
                .limit(2)
                .sorted()
                .toList()) {
            journal.read(file, Long.MAX_VALUE, false).sound().forEach(newest);
        }
        return journal;
    }

    private OptionalLong firstOf(Path file) {
        String text = file.getFileName().toString();
        String digits = text.substring(name.length() + 1, text.length() - END.length());
        return digits.matches("[0-9]{16}") ? OptionalLong.of(Long.parseLong(digits)) : OptionalLong.empty();
    }

    private FileChannel begin() throws IOException {
        Path file = folder.resolve(String.format("%s-%016d%s", name, next, END));
        FileChannel begun = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        files.put(next, file);
        end = 0;
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
        return begun;
    }

    /** Cuts off what a crash left half written. */
    private void goOnBehind(Path newest) throws IOException {
        Content content = read(newest, Long.MAX_VALUE, true);
        if (content.soundEnd() < content.length()) {
            LOG.warn(
                    "{}: {} bytes from offset {} on were not written to their end and are cut off",
                    newest,
                    content.length() - content.soundEnd(),
                    content.soundEnd());
        }
        channel.truncate(content.soundEnd());
        end = content.soundEnd();
        if (!content.sound().isEmpty()) {
            next = content.sound().get(content.sound().size() - 1).number() + 1;
        }
    }

    /**
     * Lines of a file that are as they were written.
     *
     * @param soundEnd behind the last of them
     */
    private record Content(List<JournalLine> sound, long soundEnd, long length) {}

    private Content read(Path file, long upTo, boolean newest) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int length = (int) Math.min(upTo, bytes.length);
        List<JournalLine> sound = new ArrayList<>();
        List<Integer> bad = new ArrayList<>();
        int soundEnd = 0;
        for (int from = 0; from < length; ) {
            int feed = from;
            while (feed < length && bytes[feed] != '\n') {
                feed++;
            }
            Optional<JournalLine> line = feed < length ? JournalLine.read(bytes, from, feed - from) : Optional.empty();
            if (line.isPresent()) {
                sound.add(line.get());
                bad.forEach(offset -> noteDamage(file, offset));
                bad.clear();
                soundEnd = feed + 1;
            } else {
                bad.add(from);
            }
            from = feed + 1;
        }
        if (!newest) {
            bad.forEach(offset -> noteDamage(file, offset));
        }
        return new Content(sound, soundEnd, length);
    }

    private synchronized void noteDamage(Path file, int offset) {
        String text = file + " is damaged at offset " + offset + ": a line of it is passed over";
        if (damage.size() < DaemonHistory.MOST_DAMAGE && !damage.contains(text)) {
            LOG.error("{}", text);
            damage.add(text);
        }
    }

    /** What was found to be damaged, as far as it was read. */
    synchronized List<String> damage() {
        return List.copyOf(damage);
    }

    /** Adds a line, durably; one that fails leaves nothing behind. The line's number. */
    synchronized long append(ObjectNode body) throws IOException {
        if (end >= limits.fileBytes()) {
            channel.close();
            channel = begin();
            while (files.size() > limits.files()) {
                Files.deleteIfExists(files.pollFirstEntry().getValue());
            }
        }
        byte[] line = new JournalLine(next, body).bytes();
        if (line.length > JournalLine.MOST_BYTES) {
            throw new IOException("a line of " + line.length + " bytes is too long for " + files.lastEntry());
        }
        try {
            ByteBuffer left = ByteBuffer.wrap(line);
            while (left.hasRemaining()) {
                channel.write(left, end + left.position());
            }
            channel.force(false);
        } catch (IOException e) {
            channel.truncate(end);
            throw e;
        }
        end += line.length;
        return next++;
    }

    /**
     * The newest lines.
     *
     * @param before only lines with a lower number
     * @param most how many at most; fewer may come although there are more, so that nobody waits long
     */
    DaemonHistory.Lines newest(long before, int most, Predicate<JournalLine> wanted) throws IOException {
        List<Path> toSearch;
        long written;
        synchronized (this) {
            toSearch = List.copyOf(files.headMap(before, false).descendingMap().values());
            written = end;
        }
        List<JournalLine> found = new ArrayList<>();
        OptionalLong lowest = OptionalLong.empty();
        int searched = 0;
        for (Path file : toSearch) {
            if (searched++ == limits.filesToSearch()) {
                return new DaemonHistory.Lines(found, lowest);
            }
            List<JournalLine> lines = linesOf(file, written);
            for (int i = lines.size() - 1; i >= 0; i--) {
                JournalLine line = lines.get(i);
                if (line.number() < before) {
                    lowest = OptionalLong.of(line.number());
                    if (wanted.test(line)) {
                        found.add(line);
                    }
                    if (found.size() == most) {
                        boolean last = i == 0 && searched == toSearch.size();
                        return new DaemonHistory.Lines(found, last ? OptionalLong.empty() : lowest);
                    }
                }
            }
        }
        return new DaemonHistory.Lines(found, OptionalLong.empty());
    }

    /** Only whole lines of the file that is being written. */
    private List<JournalLine> linesOf(Path file, long written) throws IOException {
        boolean isNewest;
        synchronized (this) {
            isNewest = file.equals(files.lastEntry().getValue());
        }
        try {
            return read(file, isNewest ? written : Long.MAX_VALUE, false).sound();
        } catch (NoSuchFileException e) {
            return List.of(); // The oldest have gone meanwhile.
        }
    }

    @Override
    public synchronized void close() throws IOException {
        channel.close();
    }
}
