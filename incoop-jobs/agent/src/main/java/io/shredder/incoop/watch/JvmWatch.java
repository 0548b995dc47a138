// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.watch;

import java.lang.StackWalker.Option;
import java.lang.reflect.Field;
import java.util.Iterator;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where the hooks of {@link Hooks} end. Each looks at the stack for who is behind the call: the nearest frame that is a
 * job's or ours decides. What Hadoop, a library or the JDK does for a job's class is the job's doing, in whichever
 * thread. What they do for us (reading the input, sorting, loading the job's own classes) is not. All methods are safe
 * for use by several threads and cost next to nothing while nobody watches.
 */
public final class JvmWatch {

    /** Set by {@link Agent} when the hooks are in place. */
    public static final String ACTIVE_PROPERTY = "io.shredder.incoop.agent";

    /** Packages that run a job's code; what they ask for themselves is no doing of the job. */
    private static final String[] OURS = {
        "io.shredder.incoop.task.",
        "io.shredder.incoop.world.",
        "io.shredder.incoop.programs.",
        "io.shredder.incoop.format.",
        "io.shredder.incoop.contraction.",
        "io.shredder.incoop.memo.",
        "io.shredder.incoop.input.",
        "io.shredder.incoop.plan.",
        "io.shredder.incoop.identity."
    };

    private static final String WATCH_PACKAGE = "io.shredder.incoop.watch.";
    private static final String HDFS_CLIENT = "org.apache.hadoop.hdfs.";
    private static final String OFFSET_CLASS = "org.apache.hadoop.io.LongWritable";

    private static final Set<String> READING_OPTIONS = Set.of("READ", "NOFOLLOW_LINKS", "SPARSE", "DIRECT");

    private static final StackWalker WALKER =
            StackWalker.getInstance(Set.of(Option.RETAIN_CLASS_REFERENCE, Option.SHOW_HIDDEN_FRAMES));

    /** Class loaders of jobs, and watches of code that no such loader has loaded, that live now. */
    private static volatile int watching;

    private static final Object LOCK = new Object();

    private static final String HADOOP = "org.apache.hadoop.";

    private static final CopyOnWriteArrayList<Watch> WATCHES = new CopyOnWriteArrayList<>();

    /** A watch of code that a loader of jobs alone can't tell from Hadoop's. */
    private record Watch(Predicate<Class<?>> isJobCode, Observer observer) {}

    private JvmWatch() {}

    /** Ends what a method here has begun. */
    public interface Watching extends AutoCloseable {
        @Override
        void close();
    }

    /** Begins to tell the observers of {@link JobClassLoader}s what their classes do. */
    public static Watching watchLoaders() {
        count(1);
        return once(() -> count(-1));
    }

    /** Begins to tell an observer what classes do that no {@link JobClassLoader} has loaded. */
    public static Watching watch(Predicate<Class<?>> isJobCode, Observer observer) {
        Watch watch = new Watch(isJobCode, observer);
        WATCHES.add(watch);
        count(1);
        return once(() -> {
            count(-1);
            WATCHES.remove(watch);
        });
    }

    /** Begins to tell an observer when the value of a {@code LongWritable} is looked at, by whichever code. */
    public static Watching watchOffset(Object key, Observer observer) {
        return WatchedObjects.watch(key, observer);
    }

    /** Begins to tell an observer when a {@code FileSplit} is asked for what it says, by whichever code. */
    public static Watching watchSplit(Object split, Observer observer) {
        return WatchedObjects.watch(split, observer);
    }

    private static void count(int change) {
        synchronized (LOCK) {
            watching += change;
        }
    }

    static Watching once(Runnable end) {
        return new Watching() {
            private boolean ended;

            @Override
            public synchronized void close() {
                if (!ended) {
                    ended = true;
                    end.run();
                }
            }
        };
    }

    /** Whether a job's class is behind the caller of the caller's caller: our views ask for whom they answer. */
    public static boolean isJobAsking() {
        return watching != 0 && behind(true, false) != null;
    }

    /** Whether it is a class of the job itself that asks, not Hadoop on its behalf. */
    public static boolean isJobItselfAsking() {
        return watching != 0 && WALKER.walk(frames -> isFirstForeignFrameTheJobs(frames.iterator()));
    }

    /** Runs what the hooks run once, so that no hook is the first to load or link it. */
    static void warmUp() {
        Watching nobody = watch(type -> false, (sight, through, what, by) -> {});
        isJobAsking();
        offset("");
        environment("");
        network();
        channel("", Set.of());
        localLook("");
        nobody.close();
    }

    /** Whether the hooks are in place in this JVM. */
    public static boolean isActive() {
        return System.getProperty(ACTIVE_PROPERTY) != null;
    }

    // The hooks. Called from instrumented classes; their signatures are Hooks' business.

    /** A file is opened, or asked about, for reading. */
    public static void localRead(@Nullable Object path) {
        see(Sight.LOCAL_READ, path);
    }

    /** It is asked whether a file or folder is there. */
    public static void localLook(@Nullable Object path) {
        if (watching != 0 && !WALKER.walk(frames -> ClassLookup.isUnderWay(frames.iterator()))) {
            see(Sight.LOCAL_LOOK, path);
        }
    }

    /** A file is created, changed or removed. */
    public static void localWrite(@Nullable Object path) {
        see(Sight.LOCAL_WRITE, path);
    }

    /** A random access file is opened; the lowest bit of the mode is that of reading only. */
    public static void randomAccess(@Nullable Object path, int mode) {
        see((mode & 1) != 0 ? Sight.LOCAL_READ : Sight.LOCAL_WRITE, path);
    }

    /** A channel is opened. */
    public static void channel(@Nullable Object path, @Nullable Object options) {
        if (watching != 0) {
            see(opensForReading(options) ? Sight.LOCAL_READ : Sight.LOCAL_WRITE, path);
        }
    }

    private static boolean opensForReading(@Nullable Object options) {
        if (options instanceof Set<?> set) {
            for (Object option : set) {
                if (!READING_OPTIONS.contains(String.valueOf(option))) {
                    return false;
                }
            }
        }
        return true;
    }

    /** HDFS is asked for a file or folder. */
    public static void hdfsRead(Object client, @Nullable Object path) {
        see(Sight.HDFS_READ, client, path);
    }

    /** HDFS is asked for what a status doesn't tell. */
    public static void hdfsDetail(@Nullable Object path) {
        see(Sight.HDFS_DETAIL, path);
    }

    /** HDFS is told to change something. */
    public static void hdfsWrite(Object client, @Nullable Object path) {
        see(Sight.HDFS_WRITE, client, path);
    }

    /** A socket is made, an address is looked up, or a remote procedure called. */
    public static void network() {
        if (watching != 0) {
            tell(behind(false, true), Sight.NETWORK, null, "a network connection");
        }
    }

    /** A process is started: with which command, a watcher may decide. */
    public static @Nullable Object process(
            @Nullable Object command, @Nullable Object environment, @Nullable Object redirects) {
        if (watching == 0 || !(command instanceof String[] words) || words.length == 0) {
            return command;
        }
        Class<?> job = behind(false, false);
        if (job == null) {
            return command;
        }
        ProcessStart start = ProcessStart.of(words, environment, redirects, job);
        JobClassLoader loader = jobLoader(job);
        String[] decided = loader == null ? words : loader.observer().starts(start);
        for (Watch watch : WATCHES) {
            if (watch.isJobCode().test(job)) {
                watch.observer().saw(Sight.PROCESS, null, words[0], job);
            }
        }
        return decided;
    }

    /** Native code is loaded. */
    public static void nativeCode(@Nullable Object library) {
        see(Sight.NATIVE_CODE, library);
    }

    /** What the whole JVM shares is changed. */
    public static void jvmChange(@Nullable Object what) {
        see(Sight.JVM_CHANGE, what instanceof String name ? name : "a default");
    }

    /** The environment is read, maybe to be given to a process. */
    public static void environment(@Nullable Object variable) {
        if (isJobItselfAsking()) {
            see(Sight.PLACE, variable instanceof String ? "the environment variable " + variable : "the environment");
        }
    }

    /** The host's own name or address is asked for, or how full its disks are. */
    public static void host() {
        see(Sight.PLACE, "its host's name or disks");
    }

    /** A private member is made accessible. */
    public static void opened(@Nullable Object ofClass) {
        if (watching == 0 || !(ofClass instanceof Class<?> type)) {
            return;
        }
        if (type.getName().equals(OFFSET_CLASS)) {
            see(Sight.PLACE, "a record's offset, by reflection");
        } else if (type.getName().startsWith(HADOOP) && isJobItselfAsking()) {
            see(Sight.HADOOP_INSIDE, type.getName());
        }
    }

    /** A field's offset in objects is asked for, with which it can be read past everything. */
    public static void unsafeField(@Nullable Object field) {
        opened(field instanceof Field known ? known.getDeclaringClass() : null);
    }

    /** The field of a {@code LongWritable} is read. */
    public static void offset(Object key) {
        WatchedObjects.tellOf(key, Sight.PLACE, "a record's offset");
    }

    /** A split is asked for its file. */
    public static void splitFile(Object split) {
        WatchedObjects.tellOf(split, Sight.PLACE, "its split's file");
    }

    /** A split is asked where in its file it lies. */
    public static void splitPlace(Object split) {
        WatchedObjects.tellOf(split, Sight.SPLIT, "where its split begins or how long it is");
    }

    private static void see(Sight sight, @Nullable Object what) {
        see(sight, null, what);
    }

    private static void see(Sight sight, @Nullable Object through, @Nullable Object what) {
        if (watching != 0) {
            tell(behind(false, false), sight, through, String.valueOf(what));
        }
    }

    private static void tell(@Nullable Class<?> job, Sight sight, @Nullable Object through, String what) {
        if (job == null) {
            return;
        }
        JobClassLoader loader = jobLoader(job);
        if (loader != null) {
            loader.observer().saw(sight, through, what, job);
        }
        for (Watch watch : WATCHES) {
            if (watch.isJobCode().test(job)) {
                watch.observer().saw(sight, through, what, job);
            }
        }
    }

    /**
     * The class of a job that is behind the current call, or null if it is our own or nobody's.
     *
     * @param throughUs whether our own frames at the top are views that answer the job
     * @param notForHdfs whether what the client of HDFS does for a job counts as seen elsewhere
     */
    private static @Nullable Class<?> behind(boolean throughUs, boolean notForHdfs) {
        return WALKER.walk(frames -> nearest(frames.iterator(), throughUs, notForHdfs));
    }

    private static @Nullable Class<?> nearest(
            Iterator<StackWalker.StackFrame> frames, boolean throughUs, boolean notForHdfs) {
        boolean top = true;
        while (frames.hasNext()) {
            Class<?> type = frames.next().getDeclaringClass();
            if (isWatch(type)) {
                continue;
            }
            boolean ours = isOurs(type);
            if (ours && throughUs && top) {
                continue;
            }
            top = false;
            if (ours || (notForHdfs && type.getName().startsWith(HDFS_CLIENT))) {
                return null;
            }
            if (isJobCode(type)) {
                return type;
            }
            if (LoggingClasses.include(type)) {
                return null;
            }
        }
        return null;
    }

    /** Whether the first class that is neither ours nor a configuration's nor the JDK's is the job's. */
    private static boolean isFirstForeignFrameTheJobs(Iterator<StackWalker.StackFrame> frames) {
        while (frames.hasNext()) {
            Class<?> type = frames.next().getDeclaringClass();
            if (!isOurs(type) && !isWatch(type) && !isJdk(type) && !isConfiguration(type)) {
                return isJobCode(type);
            }
        }
        return false;
    }

    /** The job's loader that a class comes from, or whose child a job has made to load it; null if there is none. */
    private static @Nullable JobClassLoader jobLoader(Class<?> type) {
        for (ClassLoader loader = type.getClassLoader(); loader != null; loader = loader.getParent()) {
            if (loader instanceof JobClassLoader job) {
                return job;
            }
        }
        return null;
    }

    private static boolean isJobCode(Class<?> type) {
        if (jobLoader(type) != null) {
            return true;
        }
        for (Watch watch : WATCHES) {
            if (watch.isJobCode().test(type)) {
                return true;
            }
        }
        return false;
    }

    static boolean isWatch(Class<?> type) {
        return type.getName().startsWith(WATCH_PACKAGE)
                && Objects.equals(type.getClassLoader(), JvmWatch.class.getClassLoader());
    }

    private static boolean isOurs(Class<?> type) {
        if (jobLoader(type) != null) {
            return false;
        }
        String name = type.getName();
        for (String ours : OURS) {
            if (name.startsWith(ours)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isJdk(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null || loader == ClassLoader.getPlatformClassLoader();
    }

    private static boolean isConfiguration(Class<?> type) {
        String name = type.getName();
        return name.startsWith("org.apache.hadoop.conf.") || name.equals("org.apache.hadoop.mapred.JobConf");
    }
}
