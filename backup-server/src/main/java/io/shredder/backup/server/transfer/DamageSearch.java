// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.transfer;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.AgentException;
import io.shredder.backup.client.Answers;
import io.shredder.backup.seal.PointerRun;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.SnapshotOpener;
import io.shredder.backup.seal.WrongKeyException;
import io.shredder.backup.server.snapshot.SnapshotList;
import io.shredder.backup.server.source.Extent;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.VerifyScope;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Finds the snapshots that damage hurts. An agent says that it doesn't have a chunk once it knows it to be damaged, so
 * a verification must have gone before.
 */
public final class DamageSearch {

    private static final Pattern CHUNK =
            Pattern.compile("chunk (?:([0-9a-f]{64})|" + Pattern.quote(VerifyScope.WITHHELD) + ")");

    private final AgentClient agent;
    private final Optional<RepositoryKey> key;
    /**
     * The lines name some, which is all if the index is damaged or the agent doesn't let this client look chunks up.
     */
    private final Set<String> named;

    private boolean mayLookUp = true;

    /**
     * The connection stays the caller's.
     *
     * @param key tells which ranges of the image are hurt
     * @param problems that the verification found
     */
    public DamageSearch(AgentClient agent, Optional<RepositoryKey> key, Set<String> problems) {
        this.agent = agent;
        this.key = key;
        this.named = problems.stream()
                .flatMap(line -> CHUNK.matcher(line).results())
                .map((MatchResult found) -> found.group(1))
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
    }

    /** Whether a line is of a chunk, so that the snapshots that it hurts say it in short. */
    public static boolean isOfChunk(String problem) {
        return CHUNK.matcher(problem).find();
    }

    /** Those of these snapshots that are hurt, and are still there. */
    public List<DamagedSnapshot> among(List<SnapshotInfo> snapshots) throws IOException {
        List<DamagedSnapshot> hurt = new ArrayList<>();
        for (SnapshotInfo snapshot : snapshots) {
            look(snapshot)
                    .filter(found -> found.chunks() > 0 || found.listDamaged())
                    .ifPresent(hurt::add);
        }
        return hurt;
    }

    /** Empty if it has been deleted since it was listed. */
    private Optional<DamagedSnapshot> look(SnapshotInfo snapshot) throws IOException {
        Optional<SnapshotOpener> opener = opener(snapshot);
        Set<Fingerprint> missing = new HashSet<>();
        List<Extent> ranges = new ArrayList<>();
        long offset = 0;
        try {
            SnapshotList list = SnapshotList.of(agent, snapshot);
            for (int number = 0; number < list.count(); number++) {
                ListPage page = Answers.await(list.page(number));
                missing.addAll(missing(page.references()));
                if (opener.isPresent()) {
                    offset = addRanges(opener.get().entries(number, page), missing, offset, ranges);
                }
            }
        } catch (AgentException e) {
            if (e.code() == ErrorCode.NOT_FOUND) {
                return Optional.empty();
            } else if (e.code() != ErrorCode.DAMAGED) {
                throw e;
            }
            return Optional.of(new DamagedSnapshot(snapshot, 0, List.of(), true));
        } catch (IOException e) {
            return Optional.of(new DamagedSnapshot(snapshot, 0, List.of(), true)); // Its seal is broken.
        }
        return Optional.of(new DamagedSnapshot(snapshot, missing.size(), ranges, false));
    }

    private Optional<SnapshotOpener> opener(SnapshotInfo snapshot) {
        try {
            return key.isPresent() ? Optional.of(new SnapshotOpener(key.get(), snapshot)) : Optional.empty();
        } catch (WrongKeyException e) {
            return Optional.empty();
        }
    }

    private List<Fingerprint> missing(List<Fingerprint> references) throws IOException {
        if (mayLookUp) {
            try {
                BitSet found = Answers.await(agent.lookup(references));
                List<Fingerprint> missing = new ArrayList<>();
                for (int i = found.nextClearBit(0); i < references.size(); i = found.nextClearBit(i + 1)) {
                    missing.add(references.get(i));
                }
                return missing;
            } catch (AgentException e) {
                if (e.code() != ErrorCode.NOT_PERMITTED && e.code() != ErrorCode.DAMAGED) {
                    throw e;
                }
                mayLookUp = false;
            }
        }
        return references.stream()
                .filter(reference -> named.contains(reference.toString()))
                .toList();
    }

    /** Adjoining ranges become one. Returns where the page ends. */
    private static long addRanges(
            List<PointerRun> entries, Set<Fingerprint> missing, long offset, List<Extent> ranges) {
        long at = offset;
        for (PointerRun entry : entries) {
            if (missing.contains(entry.pointer().fingerprint())) {
                int last = ranges.size() - 1;
                if (last >= 0 && ranges.get(last).end() == at) {
                    Extent before = ranges.remove(last);
                    ranges.add(new Extent(before.offset(), before.bytes() + entry.bytes()));
                } else {
                    ranges.add(new Extent(at, entry.bytes()));
                }
            }
            at += entry.bytes();
        }
        return at;
    }
}
