// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Damage to what the agents of a {@link CareYear} keep, and an operator who does what the guide says ("When something
 * is damaged"). On some nights a bit of a container flips, or a container is deleted, of one agent or the other. One
 * damage at a time, of what both agents have: what two agents have lost, nobody has.
 */
final class YearDamage {

    private static final double OFTEN = 0.5;
    private static final double WHOLE_FILE = 0.25;
    /** Each verification reads all in ten days, so two readings of a place are twice that apart at most. */
    private static final Duration UNTIL_FOUND = Duration.ofDays(24);

    private static final Duration UNTIL_REPAIR = Duration.ofDays(2);
    private static final Duration UNTIL_SOUND = Duration.ofDays(4);
    /** Of a long-lived agent's snapshots so many are restored while it is damaged, and all that are hurt. */
    private static final int MOST_RESTORED = 40;

    private final Clock clock;
    private final Random random;
    private final Sites sites;
    private final YearWatch watch;
    private final YearAgent first;
    private final YearAgent second;

    private volatile @Nullable Damage standing;

    /** Something was damaged, and what came of it so far. */
    private static final class Damage {
        private final YearAgent agent;
        private final YearAgent.Place place;
        private final Instant since;
        private @Nullable Instant found;
        private @Nullable Instant repaired;

        private Damage(YearAgent agent, YearAgent.Place place, Instant since) {
            this.agent = agent;
            this.place = place;
            this.since = since;
        }

        @Override
        public String toString() {
            return "the damage at " + place + " since " + since;
        }
    }

    YearDamage(Clock clock, Random random, Sites sites, YearWatch watch, YearAgent first, YearAgent second) {
        this.clock = clock;
        this.random = random;
        this.sites = sites;
        this.watch = watch;
        this.first = first;
        this.second = second;
    }

    /** Which container of the first agent is damaged; for any thread, all else for one while nothing runs. */
    Optional<String> ofFirst() {
        return Optional.ofNullable(standing)
                .filter(damage -> damage.agent == first)
                .map(damage -> damage.place.file());
    }

    /** One evening. */
    void night() throws IOException {
        if (!first.isUp() || !second.isUp()) {
            return;
        }
        if (standing != null) {
            lookAfter(standing);
        } else if (random.nextDouble() < OFTEN) {
            damage(random.nextBoolean() ? first : second);
        }
    }

    private void damage(YearAgent agent) throws IOException {
        boolean whole = random.nextDouble() < WHOLE_FILE;
        Optional<YearAgent.Place> place = agent.damage(random, whole);
        if (place.isPresent()) {
            standing = new Damage(agent, place.get(), clock.instant());
            watch.count((whole ? "containers deleted" : "bits flipped") + of(agent));
        }
    }

    private String of(YearAgent agent) {
        return agent == first ? ", first agent" : ", second agent";
    }

    private void lookAfter(Damage damage) throws IOException {
        Instant now = clock.instant();
        List<String> said = damage.agent.problems();
        boolean seen = !said.isEmpty() || (damage.agent == first && watch.knowsDamage());
        if (damage.found == null && seen) {
            damage.found = now;
            watch.count("damages found" + of(damage.agent));
            if (said.stream().noneMatch(line -> line.contains(damage.place.file())) && !said.isEmpty()) {
                watch.breaks(damage + " is found, and not named: " + said);
            }
            restoreWhatIsSaidToBeWhole(damage);
        }
        if (damage.found == null) {
            lookWhetherItIsGone(damage, now);
        } else if (!seen) {
            watch.count(damage.repaired == null ? "damages healed by backups and collections" : "damages repaired");
            standing = null;
        } else if (damage.repaired == null && !now.isBefore(damage.found.plus(UNTIL_REPAIR))) {
            repair(damage.agent);
            damage.repaired = now;
        } else if (damage.repaired != null && now.isAfter(damage.repaired.plus(UNTIL_SOUND))) {
            watch.breaks(damage + " was repaired at " + damage.repaired + ", and still is said: " + said);
            standing = null;
        }
    }

    private void lookWhetherItIsGone(Damage damage, Instant now) throws IOException {
        if (!damage.agent.pointsTo(damage.place)) {
            watch.count("damages that nothing needed any more");
            standing = null;
        } else if (now.isAfter(damage.since.plus(UNTIL_FOUND))) {
            watch.breaks(damage + " was not found");
            standing = null;
        }
    }

    /** Names that 'repair' gives hurt snapshots; those fail, and all others are restored bit for bit. */
    private void restoreWhatIsSaidToBeWhole(Damage damage) throws IOException {
        Set<String> hurt = hurt(damage.agent);
        List<String> whole = new ArrayList<>(damage.agent.names());
        whole.removeAll(hurt);
        Collections.shuffle(whole, random);
        for (String name : whole.subList(0, Math.min(MOST_RESTORED, whole.size()))) {
            if (!watch.isRestored(sites, damage.agent, name)) {
                watch.breaks(name + " is said to be whole, and is not, by " + damage);
            }
        }
        for (String name : hurt) {
            if (watch.isRestored(sites, damage.agent, name)) {
                watch.breaks(name + " is said to be hurt, and is restored, by " + damage);
            }
            watch.count("snapshots hurt" + of(damage.agent));
        }
    }

    private Set<String> hurt(YearAgent agent) throws IOException {
        Sites.Result result = sites.through(agent.port(), "repair", "--known", "--json");
        JsonNode said = new ObjectMapper().readTree(result.out());
        Set<String> names = new HashSet<>();
        said.get("damagedBySnapshot").fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** From the other agent; what that has not any more is deleted by whoever may. */
    private void repair(YearAgent agent) throws IOException {
        YearAgent other = agent == first ? second : first;
        Sites.Result result = sites.through(agent.port(), "repair", "--second-agent", "127.0.0.1:" + other.port());
        if (result.exitCode() == 0) {
            return;
        }
        if (agent == first) {
            watch.breaks("repair left something: " + result.err());
        }
        for (String name : hurt(agent)) {
            String id = name.substring(name.indexOf('@') + 1);
            Sites.Result pruned = sites.throughAs("site1-admin", agent.port(), "prune", "--id", id);
            if (pruned.exitCode() != 0) {
                watch.breaks(name + ", which is hurt, can't be deleted: " + pruned.err());
            }
            watch.count("snapshots lost with the second agent's containers, which the first had no more");
        }
    }

    /** Whatever nobody has found yet is, now. */
    void end() throws IOException {
        repair(first);
        repair(second);
    }
}
