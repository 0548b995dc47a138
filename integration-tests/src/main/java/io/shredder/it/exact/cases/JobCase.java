// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact.cases;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * One job to be run both ways again and again.
 *
 * @param name what to call it, for {@code --only}
 * @param origin where its classes come from
 * @param program its class, a {@link org.apache.hadoop.util.Tool}
 * @param kind its input's
 * @param first what it is given besides
 * @param changes of what it is given, one after the other
 * @param traits what else to know
 */
public record JobCase(
        String name,
        Origin origin,
        String program,
        InputKind kind,
        Surroundings first,
        List<Change> changes,
        Set<Trait> traits) {

    /** Where a job comes from. */
    public enum Origin {
        /** Hadoop's own examples. */
        EXAMPLES,
        /** Hadoop streaming. */
        STREAMING,
        /** This project's jobs for Avro's input formats. */
        AVRO,
        /** Small jobs that each attack something. */
        ACME;

        /** Whether others wrote it, and it is used as it is. */
        public boolean isThirdParty() {
            return this != ACME;
        }
    }

    /** What a case wants. */
    public enum Trait {
        /** Its plain result is known for one map alone: one file, one split. */
        ONE_MAP,
        /** It takes several input paths, parted by commas. */
        MANY_PATHS,
        /** Its input paths are words of their own. */
        PATHS_AS_WORDS,
        /** Some of its files are empty. */
        EMPTY_FILES,
        /** One of its files has no manifest. */
        NO_MANIFEST,
        /** A folder and a file are its inputs. */
        FOLDER_AND_FILE,
        /** The same file is named twice. */
        SAME_TWICE,
        /** It runs its number of reducers whatever the settings say. */
        OWN_REDUCERS,
        /** Its input format is one that is not served, so it has to run plainly. */
        UNSERVED_FORMAT,
        /** It reads no options of the command line, so they stand in the site's file. */
        OPTIONS_IN_SITE,
        /** It fails, and must do so in both ways. */
        FAILS,
        /** On YARN only: the local runner can't do what it needs. */
        YARN_ONLY,
        /** It is run on YARN, too, where a program asks for some of those. */
        ALSO_ON_YARN
    }

    /** A change of what a job is given. */
    public record Change(String name, UnaryOperator<Surroundings> edit) {}

    /** A job of the jar of small ones. */
    public static JobCase acme(String name, String program) {
        return of(name, Origin.ACME, "net.acme." + program, InputKind.LINES);
    }

    /** Any job, with nothing but input and output. */
    public static JobCase of(String name, Origin origin, String program, InputKind kind) {
        return new JobCase(name, origin, program, kind, Surroundings.plain(), List.of(), Set.of());
    }

    /** The same over another kind of input. */
    public JobCase over(InputKind other) {
        return new JobCase(name, origin, program, other, first, changes, traits);
    }

    /** The same given more. */
    public JobCase given(UnaryOperator<Surroundings> edit) {
        return new JobCase(name, origin, program, kind, edit.apply(first), changes, traits);
    }

    /** The same with one more change between its runs. */
    public JobCase then(String what, UnaryOperator<Surroundings> edit) {
        List<Change> more = new ArrayList<>(changes);
        more.add(new Change(what, edit));
        return new JobCase(name, origin, program, kind, first, List.copyOf(more), traits);
    }

    /** The same with more traits. */
    public JobCase with(Trait... others) {
        EnumSet<Trait> more = EnumSet.noneOf(Trait.class);
        more.addAll(traits);
        more.addAll(List.of(others));
        return new JobCase(name, origin, program, kind, first, changes, Set.copyOf(more));
    }

    public boolean is(Trait trait) {
        return traits.contains(trait);
    }
}
