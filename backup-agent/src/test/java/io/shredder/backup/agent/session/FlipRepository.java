// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerHeads;
import io.shredder.backup.agent.file.FileHeader;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.powerloss.RecordedFiles;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.trial.TrialRun;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.Request;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A repository with a bit of everything: several containers, runs, a log with several batches, snapshots, deleted ones,
 * garbage, an audit log. It is put back as it was after each flip. One thread.
 */
final class FlipRepository {

    static final String UNSEEN = "unseen";
    private static final String KEPT = "chunk that no snapshot needs";
    /** In the last region, which is the one that is damaged. */
    private static final int LAST_CHUNKS = 2;
    /** How long the file of notes about damage is: a header and a record for each chunk of the last region. */
    static final int NOTE_BYTES = FileHeader.BYTES + LAST_CHUNKS * 52;

    private static final int CONTAINER_BYTES = 2500;
    private static final int TABLE_ENTRIES = 12;
    private static final int MAX_CHUNK_BYTES = 300;

    private final Path root;
    private final boolean damaged;
    /** All files, the index's key beside the repository among them, by their path under the folder above it. */
    private final TreeMap<String, byte[]> files = new TreeMap<>();

    private final Map<Long, List<StoredRegion>> snapshots = new TreeMap<>();
    /** By container's file: bytes of headers and of chunks that a snapshot needs. */
    private final Map<String, BitSet> needed = new HashMap<>();
    /** The same of chunks that the index has, and any backup may point to, but no snapshot needs. */
    private final Map<String, BitSet> kept = new HashMap<>();

    private int bytes;
    private long lastBatchAt;
    private long lastCommitAt;

    /** A byte of a file, and what kind of byte that is. */
    record Place(String file, int at, String kind) {}

    private FlipRepository(Path root, boolean damaged) {
        this.root = root;
        this.damaged = damaged;
    }

    /**
     * Makes one.
     *
     * @param damaged whether a chunk of it is damaged, and noted as such
     */
    static FlipRepository make(Path folder, boolean damaged) throws IOException {
        FlipRepository made = new FlipRepository(Files.createDirectories(folder).resolve("repo"), damaged);
        made.fill();
        made.read();
        return made;
    }

    private Repository open() throws IOException {
        // Recorded files ask the disk for nothing when they are forced, and so many are.
        Path recorded = new RecordedFiles(root.getParent()).root().resolve(String.valueOf(root.getFileName()));
        return Repository.open(recorded, Clock.systemUTC(), CONTAINER_BYTES, TABLE_ENTRIES);
    }

    private void fill() throws IOException {
        List<Integer> counts = new ArrayList<>(Collections.nCopies(34, 1));
        List.of(3, 11, 13, 19, 22, 25, 26, 29).forEach(region -> counts.set(region, 1 + region % 6));
        counts.set(33, LAST_CHUNKS);
        int count = counts.stream().mapToInt(Integer::intValue).sum();
        List<StoredRegion> regions = Samples.inRegions(counts, Samples.chunks(new Random(7), count, MAX_CHUNK_BYTES));
        try (Repository repository = open();
                TestSession session = TestSession.open(repository)) {
            long first = session.backUp("gone", regions.subList(0, 20));
            backUp(session, "vm", regions.subList(10, 26));
            session.delete(first);
            session.collect(false);
            long second = session.backUp("gone", regions.subList(24, 30));
            backUp(session, "other", regions.subList(22, 28));
            session.delete(second);
        }
        try (Repository repository = open();
                TestSession session = TestSession.open(repository)) {
            List<StoredRegion> before = List.copyOf(regions.subList(12, 27));
            long shared = session.backUp("vm", Samples.SHARED, before);
            snapshots.put(shared, before);
            List<StoredRegion> last = new ArrayList<>(regions.subList(14, 27));
            last.addAll(regions.subList(27, 28));
            last.addAll(regions.subList(30, 34));
            snapshots.put(backUpSharing(session, shared, before, last), last);
            repository.chunks().index().forEach((fingerprint, location) -> note(repository, fingerprint, location));
        }
        if (damaged) {
            damageOne();
        }
    }

    private void backUp(TestSession session, String name, List<StoredRegion> regions) throws IOException {
        snapshots.put(session.backUp(name, regions), List.copyOf(regions));
    }

    /** Its pages are those of the snapshot before where that has them. */
    private static long backUpSharing(TestSession session, long id, List<StoredRegion> before, List<StoredRegion> image)
            throws IOException {
        session.begin("vm", Samples.SHARED);
        for (StoredRegion region : image) {
            int page = before.indexOf(region);
            if (page < 0 || !session.share(id, page, region)) {
                session.putIfNew(region);
                session.append(region);
            }
        }
        return session.commit();
    }

    private void note(Repository repository, Fingerprint fingerprint, ChunkLocation location) {
        String file = "repo/" + repository.chunks().containers().name(location.container());
        boolean pointedTo = snapshots.values().stream().flatMap(List::stream).anyMatch(region -> region.fingerprints()
                .contains(fingerprint));
        BitSet bytesOfKind = (pointedTo ? needed : kept).computeIfAbsent(file, name -> new BitSet());
        long end = location.offset() + ContainerHeads.recordBytes(location.storedBytes());
        bytesOfKind.set(location.offset(), (int) end);
        if (pointedTo) {
            bytesOfKind.set(0, FileHeader.BYTES);
        }
    }

    private void damageOne() throws IOException {
        Path container = root.resolve("containers/00000/" + lastContainer());
        byte[] contents = Files.readAllBytes(container);
        contents[contents.length - 1] ^= 1;
        Files.write(container, contents);
        try (Repository repository = open();
                TestSession session = TestSession.open(repository)) {
            session.problems();
        }
    }

    private String lastContainer() throws IOException {
        try (Stream<Path> containers = Files.list(root.resolve("containers/00000"))) {
            return containers
                    .map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .reduce((one, next) -> next)
                    .orElseThrow();
        }
    }

    private void read() throws IOException {
        try (Stream<Path> all = Files.walk(root.getParent())) {
            for (Path file : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
                byte[] contents = Files.readAllBytes(file);
                files.put(root.getParent().relativize(file).toString(), contents);
                bytes += contents.length;
            }
        }
        String log = files.keySet().stream()
                .filter(file -> file.endsWith(".log") && file.contains("/index/"))
                .reduce((one, next) -> next)
                .orElseThrow();
        lastBatchAt = lastRecord(files.get(log), "ILOG");
        lastCommitAt = lastRecord(files.get("repo/catalogue.log"), "REC!");
    }

    /** Where the last record begins: behind the header each begins with this magic. */
    private static int lastRecord(byte[] log, String magic) {
        int at = new String(log, StandardCharsets.ISO_8859_1).lastIndexOf(magic);
        if (at <= 0) {
            throw new IllegalStateException("no record in the log");
        }
        return at;
    }

    int bytes() {
        return bytes;
    }

    /** A byte of the file of notes about damage, as {@link #place} counts. */
    int noteAt(int at) {
        int before = 0;
        for (Map.Entry<String, byte[]> file : files.headMap("repo/damaged").entrySet()) {
            before += file.getValue().length;
        }
        return before + at;
    }

    /** The byte with this number among all bytes of all files. */
    Place place(int number) {
        int left = number;
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            if (left < file.getValue().length) {
                return new Place(file.getKey(), left, kind(file.getKey(), left));
            }
            left -= file.getValue().length;
        }
        throw new IllegalArgumentException("no byte " + number);
    }

    private String kind(String file, int at) {
        String name = file.substring(file.lastIndexOf('/') + 1);
        if (file.contains("/containers/")) {
            return isAt(needed, file, at) ? "container" : isAt(kept, file, at) ? KEPT : "garbage";
        } else if (file.contains("/index/")) {
            boolean log = name.endsWith(".log");
            return log && at >= lastBatchAt ? "index log's end" : "index " + name.replaceAll("[0-9a-f]{8}\\.", "");
        }
        if (name.equals("catalogue.log")) {
            return at >= lastCommitAt ? "catalogue log's end" : name;
        }
        if (name.equals("audit.log") && at == Objects.requireNonNull(files.get(file)).length - 1) {
            return "audit log's end";
        }
        return file.contains("/snapshots/") ? "snapshot" : name;
    }

    private static boolean isAt(Map<String, BitSet> kind, String file, int at) {
        return kind.containsKey(file) && kind.get(file).get(at);
    }

    /** Flips a bit, says where that is seen, and puts the repository back. */
    String flip(Place place, int bit) throws IOException {
        byte[] flipped = files.get(place.file()).clone();
        flipped[place.at()] ^= (byte) bit;
        Files.write(root.resolveSibling(place.file()), flipped);
        String seen;
        try (Repository repository = open();
                TestSession session = TestSession.open(repository)) {
            seen = look(place, session);
        } catch (IOException e) {
            String name = place.file().replaceFirst("^repo/", "");
            if (!String.valueOf(e.getMessage()).contains(name)) {
                throw new AssertionError("a flip in " + place + " is refused without its name: " + e.getMessage(), e);
            }
            seen = "refused";
        }
        putBack();
        return seen;
    }

    private String look(Place place, TestSession session) throws IOException {
        List<String> problems = session.problems();
        int lost = restoreAll(session, place);
        if (damaged) {
            return problems.size() == 1 && lost > 0 ? UNSEEN : "found by verify";
        }
        boolean harmsNoSnapshot = place.kind().equals(KEPT)
                || place.kind().equals("audit.log")
                || place.kind().startsWith("catalogue");
        if (problems.isEmpty() != (lost == 0) && !harmsNoSnapshot) {
            throw new AssertionError(
                    "a flip in " + place + ": " + lost + " snapshots don't restore, verify says " + problems);
        }
        if (problems.isEmpty()) {
            return UNSEEN;
        }
        String name = place.file().replaceFirst("^repo/", "");
        if (problems.stream().noneMatch(problem -> problem.contains(name))) {
            throw new AssertionError("a flip in " + place + " is not named: " + problems);
        }
        return lost > 0 ? "found by verify and restore" : "found by verify";
    }

    /** How many snapshots can't be restored; one that can be restores to the right bytes. */
    private int restoreAll(TestSession session, Place place) {
        int lost = 0;
        for (Map.Entry<Long, List<StoredRegion>> snapshot : snapshots.entrySet()) {
            lost += restores(session, place, snapshot.getKey(), snapshot.getValue()) ? 0 : 1;
        }
        return lost;
    }

    /** Whether a snapshot can be read to its end. */
    private static boolean restores(TestSession session, Place place, long id, List<StoredRegion> regions) {
        try {
            for (int page = 0; page < regions.size(); page++) {
                StoredRegion region = regions.get(page);
                boolean same = session.ask(new Request.Show(id, page)) instanceof Answer.Page shown
                        && shown.page().equals(Samples.pageOf(page, List.of(region)));
                for (Fingerprint chunk : region.fingerprints()) {
                    same &= session.ask(new Request.Fetch(chunk)) instanceof Answer.Region fetched
                            && fetched.region()
                                    .stored()
                                    .view()
                                    .equals(region.stored().view());
                }
                if (!same) {
                    throw new AssertionError("a flip in " + place + ": snapshot " + id + " says something else");
                }
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void putBack() throws IOException {
        TrialRun.deleteAll(root);
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Path path = root.resolveSibling(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
    }
}
