// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.agent.session.SmallRepository;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.seal.Keys;
import io.shredder.backup.server.RepositoryLife.Snapshot;
import io.shredder.backup.server.retention.RetentionPolicy;
import io.shredder.backup.server.transfer.CollectionRun;
import io.shredder.backup.server.transfer.VerifyRun;
import io.shredder.backup.server.trust.AgentSeries;
import io.shredder.backup.server.trust.BrokenTrustException;
import io.shredder.backup.server.trust.KnownCommits;
import io.shredder.backup.server.trust.ProvedListing;
import io.shredder.backup.server.trust.ProvedSnapshot;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Opens a tampered repository, looks at it as users do, and judges what they are told. For one tampering. */
final class TamperedRepository {

    private static final String AT_START = "at the start";
    private static final String BY_VERIFY = "by verify";
    private static final String BY_CLIENT = "by the client";
    private static final String BY_UPKEEP = "by prune or gc";

    /**
     * What nobody needs to name where all restores: files that say nothing (locks, reserves), or nothing that the
     * record of snapshots doesn't say (the highest id). Then what is made again, from containers (an older index) or
     * snapshots (an older record), and what nobody asks for (second copies of containers and runs under other names).
     * At last what a namespace has put, of which less is known then.
     */
    private static final Pattern HARMLESS = Pattern.compile(
            "(lock|reserve|highest-id|putbytes) .*|folder putbytes/ .*|catalogue\\.log older|index manifest"
                    + " older|folder index/ older|the agent's own disk older|.* duplicated");

    private final Path site;
    private final RepositoryLife life;
    private final Random random;
    private final KnownCommits known;
    private final TreeSet<String> named = new TreeSet<>();
    private final Set<Long> pruned = new HashSet<>();
    private final SnapshotReading reading;

    /** Under a folder that only this uses. */
    TamperedRepository(Path folder, RepositoryLife life, Random random) throws IOException {
        this.site = folder.resolve("site");
        this.life = life;
        this.random = random;
        FileTree.write(folder.resolve("known"), FileTree.read(life.known()));
        this.known = KnownCommits.in(folder.resolve("known"));
        this.reading = new SnapshotReading(Keys.counted(), known);
    }

    /** Returns by whom it was named, or that nothing needs to be; fails if that is not so. */
    String judge(Tampering tampering) throws IOException {
        FileTree.write(site, tampering.files());
        Map<Fingerprint, SmallRepository.Place> whole = wholeRecords(tampering);
        int lost = 0;
        try (SmallRepository repository = SmallRepository.open(site)) {
            boolean upkeepFirst = random.nextBoolean();
            if (upkeepFirst) {
                cleanUp(repository);
            }
            verify(repository);
            lost = lookAt(repository);
            if (!upkeepFirst) {
                cleanUp(repository);
            }
            checkNothingFreed(tampering, whole, repository);
            if (random.nextInt(4) == 0 || tampering.kind().startsWith("audit.log")) {
                goOn(repository);
            }
        } catch (IOException e) {
            checkSaysWhere(String.valueOf(e.getMessage()));
            named.add(AT_START);
            checkStillLies(tampering, whole);
        }
        if (named.isEmpty() && (lost > 0 || !HARMLESS.matcher(tampering.kind()).matches())) {
            throw new AssertionError(tampering.kind() + ", " + tampering.what() + ": " + lost
                    + " snapshots don't restore, and nobody says that anything is wrong");
        }
        return named.isEmpty() ? "harmless" : "named " + String.join(", ", named);
    }

    private static void checkSaysWhere(String message) {
        if (!message.matches(
                "(?s).*(containers|snapshots|pages|index|highest-id|repository|audit\\.log|catalogue\\.log|putbytes).*")) {
            throw new AssertionError("no file is named: " + message);
        }
    }

    /** Snapshots that should be there still, whatever rules have deleted. */
    private List<Snapshot> expected() {
        return life.last().snapshots().values().stream()
                .filter(snapshot -> !pruned.contains(snapshot.id()))
                .toList();
    }

    /** Where the records lie that all that is expected needs, as far as they are whole now. */
    private Map<Fingerprint, SmallRepository.Place> wholeRecords(Tampering tampering) {
        Map<Fingerprint, SmallRepository.Place> whole = new HashMap<>();
        life.places().forEach((chunk, place) -> {
            if (isWhole(place, tampering.files())) {
                whole.put(chunk, place);
            }
        });
        return whole;
    }

    private boolean isWhole(SmallRepository.Place place, SortedMap<String, byte[]> files) {
        String file = SmallRepository.NAME + "/" + place.file();
        byte[] bytes = files.get(file);
        byte[] sound = life.last().files().get(file);
        int end = place.offset() + place.bytes();
        return bytes != null
                && bytes.length >= end
                && Arrays.equals(bytes, place.offset(), end, sound, place.offset(), end);
    }

    private void verify(SmallRepository repository) throws IOException {
        VerifyRun run = VerifyRun.of(AgentClient.over(repository.route(RepositoryLife.CLIENT)), VerifyRun.EVERYTHING);
        run.problems().forEach(TamperedRepository::checkSaysWhere);
        if (!run.problems().isEmpty()) {
            named.add(BY_VERIFY);
        }
    }

    /** Restores all; returns how many can't be. */
    private int lookAt(SmallRepository repository) throws IOException {
        int lost = 0;
        for (Snapshot snapshot : expected()) {
            AgentClient agent = AgentClient.over(repository.route(snapshot.client()));
            try {
                reading.checkRestores(agent, snapshot);
                reading.checkLatest(agent, snapshot.client(), snapshot.series(), life.last());
            } catch (BrokenTrustException e) {
                named.add(BY_CLIENT);
                lost++;
            } catch (IOException e) {
                lost++;
            }
        }
        return lost;
    }

    /** Prunes by rules, sometimes, and collects. */
    private void cleanUp(SmallRepository repository) throws IOException {
        AgentClient admin = AgentClient.over(repository.route(RepositoryLife.CLIENT));
        try {
            if (random.nextBoolean()) {
                prune(admin);
            }
            if (!CollectionRun.of(admin, 0, false).problems().isEmpty()) {
                named.add(BY_UPKEEP);
            }
        } catch (IOException e) {
            named.add(BY_UPKEEP);
        }
    }

    private void prune(AgentClient admin) throws IOException {
        ProvedListing listing = ProvedListing.of(
                AgentSeries.listAll(admin).snapshots(),
                Keys.counted(),
                admin.greeting().repository());
        Map<String, List<SnapshotInfo>> series = new TreeMap<>();
        for (ProvedSnapshot snapshot : listing.proved()) {
            series.computeIfAbsent(snapshot.info().name().value(), name -> new ArrayList<>())
                    .add(snapshot.info());
        }
        RetentionPolicy policy = new RetentionPolicy(RepositoryLife.KEPT, Map.of(), ZoneOffset.UTC);
        List<Long> going = series.values().stream()
                .flatMap(snapshots -> policy.decide(snapshots).stream())
                .filter(decision -> !decision.isKept())
                .map(decision -> decision.snapshot().id())
                .toList();
        if (going.isEmpty()) {
            return;
        }
        admin.delete(going);
        pruned.addAll(going);
    }

    /**
     * What the rules keep is there, as far as it was before: its list, and each chunk where it lay or where a
     * collection took it.
     */
    private void checkNothingFreed(
            Tampering tampering, Map<Fingerprint, SmallRepository.Place> whole, SmallRepository repository)
            throws IOException {
        SortedMap<String, byte[]> files = FileTree.read(site);
        for (Snapshot snapshot : expected()) {
            if (tampering.putBack() && !tampering.snapshots().contains(snapshot.id())) {
                continue;
            }
            for (Fingerprint chunk : snapshot.chunks()) {
                if (whole.containsKey(chunk) && !isWhole(whole.get(chunk), files) && !repository.has(chunk)) {
                    throw new AssertionError(tampering.kind() + ", " + tampering.what() + ": a chunk of "
                            + snapshot.series() + "@" + snapshot.id() + " was freed");
                }
            }
        }
        checkRulesKeptTheNewest(tampering);
    }

    private void checkRulesKeptTheNewest(Tampering tampering) {
        if (tampering.putBack()) {
            return;
        }
        for (Snapshot snapshot : life.last().snapshots().values()) {
            long newer = life.last().snapshots().values().stream()
                    .filter(other -> other.client().equals(snapshot.client())
                            && other.series().equals(snapshot.series())
                            && other.id() > snapshot.id())
                    .count();
            if (newer < RepositoryLife.KEPT && pruned.contains(snapshot.id())) {
                throw new AssertionError(tampering.kind() + ", " + tampering.what() + ": rules deleted "
                        + snapshot.series() + "@" + snapshot.id());
            }
        }
    }

    /** An agent that does not start has freed nothing. */
    private void checkStillLies(Tampering tampering, Map<Fingerprint, SmallRepository.Place> whole) throws IOException {
        SortedMap<String, byte[]> files = FileTree.read(site);
        whole.forEach((chunk, place) -> {
            if (!isWhole(place, files)) {
                throw new AssertionError(tampering.kind() + ", " + tampering.what()
                        + ": the agent does not start, but has freed " + place);
            }
        });
    }

    /** The next backup gives out no id again, and restores. */
    private void goOn(SmallRepository repository) throws IOException {
        byte[] image = life.last()
                .snapshots()
                .get(life.last().snapshots().lastKey())
                .image()
                .clone();
        image[random.nextInt(image.length)] ^= 1;
        SnapshotInfo next;
        AlarmLog.take();
        try {
            next = life.backUp(repository.route(RepositoryLife.CLIENT), known, RepositoryLife.SERIES, image);
        } catch (BrokenTrustException e) {
            named.add(BY_CLIENT);
            return;
        } catch (IOException e) {
            return; // Whoever runs it sees that it failed.
        }
        if (AlarmLog.take()) {
            named.add(BY_CLIENT);
        }
        if (next.id() <= life.last().snapshots().lastKey()) {
            throw new AssertionError("id " + next.id() + " is given out again");
        }
        reading.checkRestores(
                AgentClient.over(repository.route(RepositoryLife.CLIENT)),
                new Snapshot(RepositoryLife.CLIENT, RepositoryLife.SERIES, next.id(), image, Set.of()));
    }
}
