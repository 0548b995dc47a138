// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import io.shredder.incoop.config.IncoopKeys;
import io.shredder.incoop.config.Originals;
import io.shredder.incoop.config.PlainRunException;
import io.shredder.incoop.identity.JobIdentity;
import io.shredder.incoop.memo.MemoCatalog;
import io.shredder.incoop.memo.MemoStore;
import io.shredder.incoop.world.ClientStatics;
import io.shredder.incoop.world.DependencyStates;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the memo store holds for a job that is about to be submitted. One thread.
 *
 * @param store the part that belongs to the job's identity, prepared
 * @param catalog of what it holds
 * @param states by which the catalog finds out what may be used
 */
record JobStore(MemoStore store, MemoCatalog catalog, DependencyStates states) {

    private static final Logger LOG = LoggerFactory.getLogger(JobStore.class);

    /**
     * Opens it.
     *
     * @throws PlainRunException if it can't be used, or says that the job has to run plainly
     */
    static JobStore open(JobContext job, JobIdentity identity) throws PlainRunException {
        MemoStore store = prepare(job, identity);
        try {
            Optional<String> refusal = store.refusal();
            if (refusal.isPresent()) {
                throw new PlainRunException(refusal.get() + " (seen in an earlier run)");
            }
            DependencyStates states = new DependencyStates(Originals.ownCopy(job.getConfiguration()));
            boolean onCluster = isOnCluster(job.getConfiguration());
            // What a node has told can't be looked at here.
            MemoCatalog catalog = store.catalog(all ->
                    !(onCluster && all.stream().anyMatch(one -> one.kind().isOfMachine())) && states.hold(all));
            return new JobStore(store, catalog, states);
        } catch (IOException e) {
            throw new PlainRunException("its memo store can't be read: " + e.getMessage());
        }
    }

    /** Whether its tasks run on other machines. */
    static boolean isOnCluster(Configuration conf) {
        return !conf.get(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME).equals(MRConfig.LOCAL_FRAMEWORK_NAME);
    }

    private static MemoStore prepare(JobContext job, JobIdentity identity) throws PlainRunException {
        Configuration conf = job.getConfiguration();
        try {
            MemoStore store = new MemoStore(conf, IncoopKeys.memoDir(conf), identity.fingerprint());
            TokenCache.obtainTokensForNamenodes(job.getCredentials(), new Path[] {store.root()}, conf);
            store.prepare(identity.document());
            explainChange(job.getJobName(), store, identity);
            return store;
        } catch (IOException | IllegalArgumentException e) {
            throw new PlainRunException("its memo store can't be used: " + e.getMessage());
        }
    }

    private static void explainChange(String jobName, MemoStore store, JobIdentity identity) throws IOException {
        Optional<String> last = store.lastOtherIdentityDocument(jobName);
        if (last.isPresent()) {
            LOG.info(
                    "incoop: the last run of '{}' was another job: it differs in {}",
                    jobName,
                    String.join(", ", identity.differencesFrom(last.get())));
        }
        store.rememberLast(jobName);
    }

    /**
     * To be called when all that the job may use was looked for.
     *
     * @throws PlainRunException if the program that submits the job has changed statics that its tasks use
     */
    void refuseIfChanged() throws PlainRunException {
        Optional<String> changed = states.changedClass();
        if (changed.isPresent()) {
            throw new PlainRunException(ClientStatics.reason(changed.get()));
        }
    }
}
