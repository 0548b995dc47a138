// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.shard.Dispersal;
import io.shredder.backup.agent.dispersal.shard.ShardHeader;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.chunk.DamagedDataException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a small file is: what {@link Dispersal#leastToDecide} keepers say alike, or, if all that have a sound copy
 * have answered, more than half of those. The quickest are asked, and more only when one is late, has none, or says
 * something else. For one thread.
 */
final class CopyVote {

    private final Keepers keepers;
    private final StoredVersion version;
    private final int enough;
    private final Deque<KeeperReads> left;
    private final List<Said> said = new ArrayList<>();
    private @Nullable IOException problem;
    private boolean silent;

    /** The same bytes, and who says them. */
    private record Said(ByteBuffer bytes, List<Keeper> by) {}

    CopyVote(Keepers keepers, StoredVersion version) {
        this.keepers = keepers;
        this.version = version;
        this.enough = keepers.dispersal().leastToDecide();
        this.left = new ArrayDeque<>(keepers.quickest(0));
    }

    /**
     * The bytes.
     *
     * @throws NoSuchFileException if no keeper has them any more
     * @throws DamagedDataException if no sound copy is left, or none that most say
     */
    ByteBuffer bytes() throws IOException {
        try (AskedKeepers<ByteBuffer> answers =
                new AskedKeepers<>(0, keeper -> Copies.readAt(keepers.dispersal(), keeper, version), late -> {})) {
            while (true) {
                while (most() + answers.outstanding() < enough && !left.isEmpty()) {
                    answers.ask(left.remove());
                }
                if (most() >= enough || answers.outstanding() == 0) {
                    return decided();
                }
                Optional<AskedKeepers.Answer<ByteBuffer>> next =
                        left.isEmpty() ? Optional.of(answers.await()) : answers.awaitUnlessLate();
                if (next.isPresent()) {
                    take(next.get());
                } else {
                    answers.ask(left.remove());
                }
            }
        }
    }

    private int most() {
        return said.stream().mapToInt(each -> each.by().size()).max().orElse(0);
    }

    private void take(AskedKeepers.Answer<ByteBuffer> answer) {
        Keeper keeper = answer.keeper();
        try {
            ByteBuffer bytes = answer.get();
            Optional<Said> same =
                    said.stream().filter(each -> each.bytes().equals(bytes)).findFirst();
            same.orElseGet(() -> {
                        said.add(new Said(bytes, new ArrayList<>()));
                        return said.get(said.size() - 1);
                    })
                    .by()
                    .add(keeper);
        } catch (NoSuchFileException e) {
            silent |= !keeper.isThere(); // Else it is owed, or was deleted meanwhile.
        } catch (EOFException | DamagedDataException e) {
            keeper.tell(version, 0, String.valueOf(e.getMessage()));
            problem = e;
        } catch (IOException e) {
            keeper.tellSilent(e);
            silent = true;
            problem = problem == null ? e : problem;
        }
    }

    private ByteBuffer decided() throws IOException {
        int most = most();
        int sound = said.stream().mapToInt(each -> each.by().size()).sum();
        if (most < enough && 2 * most <= sound) {
            throw undecided();
        }
        ByteBuffer bytes = said.stream()
                .filter(each -> each.by().size() == most)
                .findFirst()
                .orElseThrow()
                .bytes();
        for (Said each : said) {
            each.by().forEach(keeper -> compare(keeper, each.bytes(), bytes));
        }
        left.forEach(reads -> probe(reads, bytes));
        return bytes;
    }

    private void compare(Keeper keeper, ByteBuffer own, ByteBuffer decided) {
        int differs = own.mismatch(decided);
        if (differs >= 0) {
            keeper.tell(version, ShardHeader.BYTES + differs, "a sound copy that most keepers deny");
        }
    }

    /** Who was not asked for a while is asked beside: a lie is told soon, though nobody waits for it. */
    private void probe(KeeperReads reads, ByteBuffer decided) {
        reads.probe(0, keeper -> Copies.readAt(keepers.dispersal(), keeper, version), (bytes, failure) -> {
            if (bytes != null) {
                compare(reads.keeper(), bytes, decided);
            } else if (failure instanceof DamagedDataException) {
                reads.keeper().tell(version, 0, String.valueOf(failure.getMessage()));
            }
        });
    }

    private IOException undecided() {
        if (said.isEmpty() && !silent) {
            return problem == null ? new NoSuchFileException(version.name()) : problem;
        }
        String differ = said.isEmpty() ? "" : "keepers say different things of it, " + sides() + "; ";
        if (silent) {
            String why = version.name() + ": " + differ + "keepers that have it can't be read now: bring them back";
            return new IOException(why, problem);
        }
        return new DamagedDataException(
                version.name(), 0, differ + "no more than half of them agree: find out which of them lie");
    }

    private String sides() {
        return said.stream().map(each -> String.valueOf(each.by())).collect(Collectors.joining(" against "));
    }
}
