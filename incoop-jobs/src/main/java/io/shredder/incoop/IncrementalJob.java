// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.memo.MemoStore;
import io.shredder.incoop.task.IncrementalInputFormat;
import io.shredder.incoop.task.IncrementalMapper;
import io.shredder.incoop.task.IncrementalOutputFormat;
import io.shredder.incoop.task.IncrementalReducer;
import io.shredder.incoop.task.IncrementalShuffle;
import io.shredder.incoop.world.AgentLoader;
import java.io.File;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.util.ClassUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What makes an unchanged job incremental. START HERE.
 *
 * <ol>
 *   <li>The agent ({@link AgentLoader}) lets us see what the job's code does.
 *   <li>{@link #install}: the job's mapper, input format and shuffle are replaced by ours, which keep the originals'
 *       names.
 *   <li>At submission {@link IncrementalInputFormat} asks {@link io.shredder.incoop.plan.JobPlanner}: the manifests of
 *       the input give its chunks, the memo store says which of them earlier runs have mapped. Only the others become
 *       map tasks, many chunks to a task. If anything speaks against reuse, {@link Originals} puts the originals back.
 *   <li>{@link IncrementalMapper} gives each chunk a fresh mapper of the job's class, and the sorted, combined output
 *       of its chunks to one memo file. The map task's ordinary output is empty. Files that can't be read in chunks are
 *       mapped by the job's own reader and mapper to ordinary output, if others can
 *       ({@link io.shredder.incoop.plan.OwnSplit}).
 *   <li>{@link IncrementalShuffle} waits for the maps as ever, then brings its partition of all chunks together along
 *       the contraction tree ({@link io.shredder.incoop.contraction.ContractionTree}): nodes that an earlier run has
 *       combined are read, the others combined and kept. What is damaged or missing is computed again on the spot.
 *   <li>{@link IncrementalReducer} and {@link IncrementalOutputFormat} run the job's own, or, if nothing below the
 *       tree's root has changed, copy the part file that an earlier run gave.
 * </ol>
 *
 * A job without reducers ({@link MapOnly}) reuses part files of whole splits instead: {@link
 * io.shredder.incoop.plan.MapOnlyPlanner} finds them, {@link io.shredder.incoop.task.IncrementalOutputFormat} brings
 * them.
 */
public final class IncrementalJob {

    private static final Logger LOG = LoggerFactory.getLogger(IncrementalJob.class);
    private static final String TEMPORARY_JARS = "tmpjars";

    private IncrementalJob() {}

    /**
     * Makes the job incremental if nothing in its configuration speaks against it; says in one line why if not.
     *
     * @param conf the live configuration of a job of either API that is about to be submitted
     * @param shipJars whether the tasks run elsewhere and need our jars sent along
     * @return whether it is incremental now
     * @throws IOException if our jars have to be sent and can't be found
     */
    static boolean install(Configuration conf, boolean shipJars) throws IOException {
        boolean installedBefore = conf.get(IncoopKeys.MAPPER) != null;
        if (installedBefore) {
            return true;
        }
        Optional<String> objection =
                Eligibility.objection(conf).or(() -> shipJars ? AgentLoader.missing() : AgentLoader.load());
        if (objection.isPresent()) {
            LOG.info("incoop: the job runs plainly: {}", objection.get());
            return false;
        }
        Map<String, String> before = Originals.before(conf);
        ReplacedClasses.of(conf).replace(conf);
        if (MapOnly.is(conf)) {
            MapOnly.install(conf);
        } else {
            conf.set(MRConfig.SHUFFLE_CONSUMER_PLUGIN, IncrementalShuffle.class.getName());
            ReduceSide.install(conf);
            MapOutputCompression.install(conf);
        }
        if (shipJars) {
            shipJars(conf);
            TaskJvms.install(conf);
        }
        Originals.keep(before, conf);
        return true;
    }

    /**
     * Makes the job plain again before it is submitted, and says why.
     *
     * @param why a {@code PlainRunException}, or a failure that a plain run does not meet
     */
    public static void runPlainly(Configuration conf, Exception why) {
        String reason = why.getMessage() == null ? why.toString() : why.getMessage();
        // Hadoop's remote exceptions bring the stack of the other side along.
        LOG.info("incoop: the job runs plainly: {}", reason.lines().findFirst().orElse(""));
        Originals.restore(conf);
    }

    /** What a job's own input format does at submission. */
    public interface AtSubmission<T> {
        T run() throws IOException, InterruptedException;
    }

    /** Shows the job's own mapper and input format meanwhile: MultipleInputs hands the mapper on to its splits. */
    public static <T> T withOwnMapper(Configuration conf, AtSubmission<T> action)
            throws IOException, InterruptedException {
        ReplacedClasses replaced = ReplacedClasses.of(conf);
        replaced.showOwn(conf);
        try {
            return action.run();
        } finally {
            replaced.replace(conf);
        }
    }

    /** The job's own mapper: of the package {@code mapreduce} or, in a job of the old API, of {@code mapred}. */
    public static Class<?> mapperClass(Configuration conf) throws ClassNotFoundException {
        return conf.getClassByName(
                conf.get(IncoopKeys.MAPPER, ReplacedClasses.of(conf).mapper(conf)));
    }

    /** What runs the job's own mapper; only in a job of the old API. */
    public static Class<?> mapRunnerClass(Configuration conf) throws ClassNotFoundException {
        return conf.getClassByName(conf.get(IncoopKeys.MAP_RUNNER, ReplacedClasses.mapRunner(conf)));
    }

    /** The job's own input format, of the same API as its mapper. */
    public static Class<?> inputFormatClass(Configuration conf) throws ClassNotFoundException {
        return conf.getClassByName(
                conf.get(IncoopKeys.INPUT_FORMAT, ReplacedClasses.of(conf).inputFormat(conf)));
    }

    /** What a submitted job keeps its results in. */
    public static MemoStore memos(Configuration conf) throws IOException {
        return MemoStore.of(new Path(conf.get(IncoopKeys.MEMO_OF_JOB)), conf);
    }

    /** A copy of a configuration as the job's own code would find it, with the credentials of a job's. */
    public static JobConf own(Configuration conf) {
        JobConf own = new JobConf(conf);
        Originals.restore(own);
        return own;
    }

    private static void shipJars(Configuration conf) throws IOException {
        Set<String> jars = new LinkedHashSet<>(conf.getStringCollection(TEMPORARY_JARS));
        jars.add(jarOf(IncrementalJob.class));
        jars.add(jarOf(Fingerprint.class));
        conf.set(TEMPORARY_JARS, String.join(",", jars));
    }

    private static String jarOf(Class<?> type) throws IOException {
        String jar = ClassUtil.findContainingJar(type);
        if (jar == null) {
            throw new IOException(
                    "incoop: " + type.getName()
                            + " was not loaded from a jar, so it can't be sent to the cluster: put the built jars on the class path");
        }
        return new File(jar).toURI().toString();
    }
}
