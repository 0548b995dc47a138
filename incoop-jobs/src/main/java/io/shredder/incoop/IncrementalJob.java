// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.config.IncoopKeys;
import io.shredder.incoop.config.MapOnly;
import io.shredder.incoop.config.Originals;
import io.shredder.incoop.config.ReduceSide;
import io.shredder.incoop.config.ReplacedClasses;
import io.shredder.incoop.task.map.IncrementalInputFormat;
import io.shredder.incoop.task.map.IncrementalMapRunner;
import io.shredder.incoop.task.map.IncrementalMapper;
import io.shredder.incoop.task.map.IncrementalOldInputFormat;
import io.shredder.incoop.task.output.IncrementalOldOutputFormat;
import io.shredder.incoop.task.output.IncrementalOutputFormat;
import io.shredder.incoop.task.reduce.IncrementalReducer;
import io.shredder.incoop.task.reduce.IncrementalShuffle;
import io.shredder.incoop.world.AgentLoader;
import java.io.File;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
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
 *       ({@link io.shredder.incoop.input.OwnSplit}).
 *   <li>{@link IncrementalShuffle} waits for the maps as ever, then brings its partition of all chunks together along
 *       the contraction tree ({@link io.shredder.incoop.contraction.ContractionTree}): nodes that an earlier run has
 *       combined are read, the others combined and kept. What is damaged or missing is computed again on the spot.
 *   <li>{@link IncrementalReducer} and {@link IncrementalOutputFormat} run the job's own, or, if nothing below the
 *       tree's root has changed, copy the part file that an earlier run gave.
 * </ol>
 *
 * A job without reducers ({@link MapOnly}) reuses part files of whole splits instead: {@link
 * io.shredder.incoop.plan.MapOnlyPlanner} finds them, {@link io.shredder.incoop.task.output.IncrementalOutputFormat}
 * brings them.
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
        ReplacedClasses replaced = ReplacedClasses.of(conf);
        replaced.replace(conf, standIns(replaced));
        if (MapOnly.is(conf)) {
            MapOnly.install(
                    conf,
                    replaced == ReplacedClasses.NEW_API
                            ? IncrementalOutputFormat.class
                            : IncrementalOldOutputFormat.class);
        } else {
            conf.set(MRConfig.SHUFFLE_CONSUMER_PLUGIN, IncrementalShuffle.class.getName());
            ReduceSide.install(conf, IncrementalReducer.class, IncrementalOutputFormat.class);
            MapOutputCompression.install(conf);
        }
        if (shipJars) {
            shipJars(conf);
            TaskJvms.install(conf);
        }
        Originals.keep(before, conf);
        return true;
    }

    private static ReplacedClasses.StandIns standIns(ReplacedClasses replaced) {
        return switch (replaced) {
            case NEW_API -> ReplacedClasses.StandIns.of(IncrementalMapper.class, IncrementalInputFormat.class);
            case OLD_API -> ReplacedClasses.StandIns.of(IncrementalMapRunner.class, IncrementalOldInputFormat.class);
        };
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
