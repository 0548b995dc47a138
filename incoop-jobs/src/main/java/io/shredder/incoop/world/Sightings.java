// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.world;

import io.shredder.incoop.config.IncoopKeys;
import io.shredder.incoop.format.PositionWatch;
import io.shredder.incoop.memo.Dependency;
import io.shredder.incoop.programs.ProgramStates;
import io.shredder.incoop.programs.TaskPlaces;
import io.shredder.incoop.programs.WatchedPrograms;
import io.shredder.incoop.watch.Observer;
import io.shredder.incoop.watch.ProcessStart;
import io.shredder.incoop.watch.RunPlainly;
import io.shredder.incoop.watch.Sight;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was seen of a job's code while it made one result. What it reads becomes a dependency of the result. Asking
 * where it is makes the result good for this run only. What would be missing if the code did not run, or can't be seen,
 * makes the job run plainly, before it happens. Safe for use by several threads: a job may have its own.
 */
public final class Sightings implements Observer {

    private static final Logger LOG = LoggerFactory.getLogger(Sightings.class);
    private static final StackWalker WALKER = StackWalker.getInstance();
    private static final String STREAMING = "org.apache.hadoop.streaming.";
    private static final String HA_SERVICE = "ha-hdfs:";

    private final Configuration conf;
    private final PositionWatch position;
    private final LocalFiles localFiles;
    private final boolean effectsAllowed;
    private final Map<String, Dependency> dependencies = new LinkedHashMap<>();
    private final boolean programsAreWatched;
    private final WatchedPrograms programs = new WatchedPrograms();
    private @Nullable String plainReason;
    private boolean over;

    /**
     * Begins with nothing seen.
     *
     * @param conf the task's, by which files are looked at
     * @param position told when the code asks where it is
     * @param localFiles those that the job's identity covers
     * @param effectsAllowed whether the code runs as often as in a plain run, so that what it does elsewhere only keeps
     *     its result from being used again
     */
    public Sightings(Configuration conf, PositionWatch position, LocalFiles localFiles, boolean effectsAllowed) {
        this.conf = conf;
        this.position = position;
        this.localFiles = localFiles;
        this.effectsAllowed = effectsAllowed;
        this.programsAreWatched = !effectsAllowed && IncoopKeys.programsIgnoreTask(conf);
    }

    /** What is told when the code asks where it is. */
    public PositionWatch position() {
        return position;
    }

    @Override
    public void saw(Sight sight, @Nullable Object through, String what, Class<?> by) {
        switch (sight) {
            case HDFS_READ -> readHdfs((DFSClient) through, what, by);
            case HDFS_DETAIL ->
                position.asked(by.getName() + " asks HDFS for more about " + what
                        + " than its status tells, which no later run looks at");
            case LOCAL_READ -> readLocal(Dependency.Kind.LOCAL, what, by);
            case LOCAL_LOOK -> readLocal(Dependency.Kind.LOCAL_PRESENCE, what, by);
            case PLACE -> askPlace(what, by);
            case HDFS_WRITE, LOCAL_WRITE -> effect("writes the file " + what + " by itself", by);
            case NETWORK -> openNetwork(what, by);
            case PROCESS -> effect("starts the process " + what + ", which is not watched", by);
            case NATIVE_CODE -> effect("loads the native code " + what + ", which can't be watched", by);
            case SPLIT -> onlyPlain("it asks " + what + ", and a chunk is no split");
            case HADOOP_INSIDE -> effect("looks into Hadoop's class " + what + " by reflection", by);
            case JVM_CHANGE -> effect("changes what all of its JVM shares (" + what + ")", by);
        }
    }

    /** What was seen elsewhere counts here, too, also of programs that were started there; waits for these. */
    void include(Sightings other) {
        other.tellPrograms();
        Map<String, Dependency> seen;
        synchronized (other.dependencies) {
            seen = new LinkedHashMap<>(other.dependencies);
        }
        synchronized (dependencies) {
            seen.forEach(dependencies::putIfAbsent);
        }
        other.position.reason().ifPresent(position::asked);
        other.noted().ifPresent(this::note);
    }

    private synchronized Optional<String> noted() {
        return Optional.ofNullable(plainReason);
    }

    /** Whether all seen so far holds for another result, too: it asked for no place and started no program. */
    boolean canBeIncluded() {
        return !position.wasAsked() && !programs.areSome();
    }

    /** If the user said that it ignores its task, a program runs watched; else it is what can't be seen. */
    @Override
    public String[] starts(ProcessStart start) {
        if (isOver()) {
            // Nothing that it gives is kept.
            return start.command();
        }
        if (!programsAreWatched || !start.hasPipedInput()) {
            return Observer.super.starts(start);
        }
        try {
            return programs.watch(start.command());
        } catch (IOException e) {
            LOG.debug("not watched", e);
            effect(
                    "starts the process " + start.command()[0] + ", which can't be watched: " + e.getMessage(),
                    start.by());
            return start.command();
        }
    }

    private synchronized boolean isOver() {
        return over;
    }

    /** What streaming asks of its place only its programs get: they ignore it, or depend on it by inheritance. */
    private void askPlace(String what, Class<?> by) {
        if (!(programsAreWatched && by.getName().startsWith(STREAMING) && !what.contains("offset"))) {
            position.asked(by.getName() + " asks for " + what);
        }
    }

    /** Streaming looks its host's name up, for its programs, which ignore it. */
    private void openNetwork(String what, Class<?> by) {
        if (!(programsAreWatched && by.getName().equals(STREAMING + "Environment"))) {
            effect("opens " + what, by);
        }
    }

    /** Whether streaming is copying its configuration into the environment of a program that ignores its task. */
    public boolean isForPrograms() {
        return programsAreWatched
                && WALKER.walk(
                        frames -> frames.anyMatch(frame -> frame.getClassName().equals(STREAMING + "PipeMapRed")
                                && frame.getMethodName().equals("addJobConfToEnvironment")));
    }

    /** Waits for the programs, and takes note of what they did. What is started from now on belongs to nobody. */
    void settle() {
        synchronized (this) {
            over = true;
        }
        tellPrograms();
    }

    private void tellPrograms() {
        programs.tell(new WatchedPrograms.Witness() {
            @Override
            public boolean counts(java.nio.file.Path file) {
                return !localFiles.areCovered(file);
            }

            @Override
            public void asked(String name) {
                depend(
                        Dependency.Kind.PROGRAM,
                        name,
                        () -> ProgramStates.of(conf).now(name),
                        Sightings.class);
            }

            @Override
            public void lost(String reason) {
                LOG.info("incoop: a chunk will be computed again next time: {}", reason);
                position.asked(reason);
            }

            @Override
            public void plain(String reason) {
                note("a program that it started " + reason);
            }
        });
    }

    private synchronized void note(String reason) {
        if (plainReason == null) {
            plainReason = reason;
        }
    }

    private void readHdfs(@Nullable DFSClient client, String path, Class<?> by) {
        String service = client == null ? "" : client.getCanonicalServiceName();
        String authority = service.startsWith(HA_SERVICE) ? service.substring(HA_SERVICE.length()) : service;
        Path file = new Path("hdfs", authority, path);
        depend(Dependency.Kind.HDFS, file.toString(), () -> DependencyStates.hdfs(file, conf), by);
    }

    private void readLocal(Dependency.Kind kind, String path, Class<?> by) {
        java.nio.file.Path file = java.nio.file.Path.of(path).toAbsolutePath().normalize();
        if (localFiles.areCovered(file)) {
            return;
        }
        boolean whole = kind == Dependency.Kind.LOCAL;
        Optional<String> name = localFiles.isInClient() ? Optional.of(file.toString()) : nameOnNode(file, whole);
        if (name.isEmpty()) {
            position.asked(by.getName() + " reads " + path + " of its machine");
            return;
        }
        depend(kind, name.get(), () -> whole ? LocalStates.whole(file) : LocalStates.presence(file), by);
    }

    /**
     * By which a later map task finds a file on its node. Of what a reduce task's code reads nobody looks at it, and
     * what lies in the container's places is another one each time.
     */
    private Optional<String> nameOnNode(java.nio.file.Path file, boolean whole) {
        TaskPlaces places = TaskPlaces.ofThisJvm();
        return effectsAllowed || (whole && places.isOfContainer(file)) ? Optional.empty() : places.name(file);
    }

    /** A key was read that does not count for the job's identity. */
    public void readConfiguration(String key, Configuration job) {
        depend(Dependency.Kind.CONFIGURATION, key, () -> DependencyStates.configuration(key, job), Sightings.class);
    }

    private interface State {
        String now() throws IOException;
    }

    /** The first look counts: what changes afterwards is found out by {@link #dependencies}. */
    private void depend(Dependency.Kind kind, String name, State state, Class<?> by) {
        synchronized (dependencies) {
            if (dependencies.containsKey(kind + name)) {
                return;
            }
        }
        try {
            Dependency found = new Dependency(kind, name, state.now());
            synchronized (dependencies) {
                dependencies.putIfAbsent(kind + name, found);
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("not looked at", e);
            position.asked(by.getName() + " reads " + name + ", which can't be looked at");
        }
    }

    private void effect(String what, Class<?> by) {
        onlyPlain("its class " + by.getName() + " " + what);
    }

    /**
     * The job's code is about to do what is right in a plain run only. Where it runs as in a plain run, its result is
     * good for this run; elsewhere the job has to run plainly, and {@link #plainReason} says so even if the code
     * catches what is thrown.
     *
     * @param reason completes "the job runs plainly: "
     * @throws RunPlainly if it must not happen
     */
    public void onlyPlain(String reason) {
        if (effectsAllowed) {
            position.asked(reason);
            return;
        }
        note(reason);
        throw new RunPlainly(reason);
    }

    /** Why the job has to run plainly, if it does. Ends the sightings. */
    public Optional<String> plainReason() {
        settle();
        return noted();
    }

    /** What the result was made of beside its input; empty if something has changed meanwhile. Ends the sightings. */
    public Optional<List<Dependency>> dependencies() {
        settle();
        List<Dependency> all;
        synchronized (dependencies) {
            all = new ArrayList<>(dependencies.values());
        }
        boolean still = new DependencyStates(conf)
                .hold(all.stream()
                        .filter(one -> one.kind() != Dependency.Kind.CONFIGURATION)
                        .toList());
        return still ? Optional.of(List.copyOf(all)) : Optional.empty();
    }
}
