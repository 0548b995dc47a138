// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.home.KeeperHome;
import io.shredder.backup.agent.dispersal.home.OtherKeeperException;
import io.shredder.backup.agent.dispersal.shard.Dispersal;
import io.shredder.backup.agent.dispersal.shard.Replacements;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keepers of a configuration that are there and count. One that was replaced, and came back, counts for nothing: no
 * vote, no read, no write. For one thread.
 */
final class Present implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(Present.class);

    private final Dispersal dispersal;
    private final List<Keeper> keepers = new ArrayList<>();
    private final Map<Integer, String> whyAway = new TreeMap<>();

    /** Of those that are away because they were replaced, the same texts. */
    private final List<String> replaced = new ArrayList<>();

    private Replacements replacements = Replacements.NONE;

    private Present(Dispersal dispersal) {
        this.dispersal = dispersal;
    }

    /**
     * Locks those that are there.
     *
     * @throws OtherKeeperException if one is another's or in another's hands, or if two were replaced apart
     */
    static Present open(DispersalConfig config, Dispersal dispersal) throws IOException {
        Present present = new Present(dispersal);
        try {
            present.openAll(config.keepers());
            present.putReplacedOnesAway();
            present.refuseThoseReplacedApart();
            return present;
        } catch (IOException | RuntimeException e) {
            present.close();
            throw e;
        }
    }

    /** Side by side, in threads named {@code keepers-open}: one elsewhere may keep others waiting. */
    private void openAll(List<KeeperHome> homes) throws IOException {
        ExecutorService threads = Executors.newCachedThreadPool(task -> new Thread(task, "keepers-open"));
        List<Future<Keeper>> opening = new ArrayList<>();
        for (int i = 0; i < homes.size(); i++) {
            int index = i;
            opening.add(threads.submit(() -> Keeper.open(homes.get(index), index, dispersal)));
        }
        threads.shutdown();
        Optional<OtherKeeperException> others = Optional.empty();
        for (int i = 0; i < homes.size(); i++) {
            try {
                take(homes.get(i), i, opening.get(i));
            } catch (OtherKeeperException e) {
                others = others.or(() -> Optional.of(e)); // The rest are taken, so that they are closed.
            }
        }
        if (others.isPresent()) {
            throw others.get();
        }
    }

    private void take(KeeperHome home, int index, Future<Keeper> opening) throws OtherKeeperException {
        try {
            keepers.add(Keepers.await(opening));
        } catch (OtherKeeperException e) {
            throw e;
        } catch (NoSuchFileException e) {
            putAway(index, home + " isn't there, or is no keeper's folder");
        } catch (IOException e) {
            putAway(index, home + " can't be used: " + e.getMessage());
        }
    }

    private void putAway(int index, String why) {
        LOG.warn("keeper {} is left out: {}", index, why);
        whyAway.put(index, why);
    }

    private void putReplacedOnesAway() throws IOException {
        for (Keeper keeper : keepers) {
            replacements = replacements.and(keeper.identity().replacements());
        }
        for (Keeper keeper : List.copyOf(keepers)) {
            Replacements.Last last = replacements.places().get(keeper.index());
            if (last != null && keeper.identity().since() < last.epoch()) {
                keepers.remove(keeper);
                keeper.close();
                String why = keeper.home() + " was replaced on " + last.when() + ", as " + whoSays(keeper.index(), last)
                        + " says, and counts for nothing: take it out, and name the folder that came in its place";
                putAway(keeper.index(), why);
                replaced.add(why);
            }
        }
    }

    private String whoSays(int place, Replacements.Last last) {
        return keepers.stream()
                .filter(keeper ->
                        last.equals(keeper.identity().replacements().places().get(place)))
                .findFirst()
                .map(keeper -> "keeper " + keeper)
                .orElse("one that was replaced itself");
    }

    /** Each replacement is told to so many that the next one knows of it, unless they were kept apart by hand. */
    private void refuseThoseReplacedApart() throws OtherKeeperException {
        for (Keeper one : keepers) {
            for (Keeper other : keepers) {
                Replacements known = one.identity().replacements();
                Replacements others = other.identity().replacements();
                if (!known.covers(others) && !others.covers(known)) {
                    throw new OtherKeeperException("keepers " + one + " and " + other
                            + " know of different replacements, so they were used apart from one another: take out"
                            + " those that are not the store's");
                }
            }
        }
    }

    /**
     * Refuses to go on with too few that have everything.
     *
     * @param whatFor for the message, with a blank before it, or empty
     */
    void requireWhole(int least, String whatFor) throws IOException {
        long whole = keepers.stream().filter(Keeper::isWhole).count();
        if (whole < least) {
            long filling = keepers.size() - whole;
            throw new IOException("only " + whole + " of " + dispersal.keepers() + " keepers are there and " + least
                    + " are needed" + whatFor + ": bring more back"
                    + (filling == 0 ? "" : "; " + filling + " more are new and not filled yet")
                    + (replaced.isEmpty() ? "" : "; " + String.join("; ", replaced)));
        }
    }

    List<Keeper> keepers() {
        return keepers;
    }

    /** Those that are not there or don't count, and why. */
    Map<Integer, String> whyAway() {
        return whyAway;
    }

    /** All that any of them knows. */
    Replacements replacements() {
        return replacements;
    }

    @Override
    public void close() throws IOException {
        for (Keeper keeper : keepers) {
            keeper.close();
        }
    }
}
