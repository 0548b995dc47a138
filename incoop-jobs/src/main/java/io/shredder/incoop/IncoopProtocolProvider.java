// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.LocalClientProtocolProvider;
import org.apache.hadoop.mapred.YarnClientProtocolProvider;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.protocol.ClientProtocol;
import org.apache.hadoop.mapreduce.protocol.ClientProtocolProvider;
import org.jspecify.annotations.Nullable;

/**
 * Answers to {@code mapreduce.framework.name=inc-local} and {@code inc-yarn}: makes the job incremental, then hands it to the
 * real framework, whose name it restores in the job's configuration. Found by {@link java.util.ServiceLoader}.
 */
public final class IncoopProtocolProvider extends ClientProtocolProvider {

    /** Framework name for jobs in this process. */
    public static final String INCREMENTAL_LOCAL = "inc-local";

    /** Framework name for jobs on YARN. */
    public static final String INCREMENTAL_YARN = "inc-yarn";

    private final LocalClientProtocolProvider local = new LocalClientProtocolProvider();
    private final YarnClientProtocolProvider yarn = new YarnClientProtocolProvider();

    @Override
    public @Nullable ClientProtocol create(Configuration conf) throws IOException {
        String framework = conf.getTrimmed(MRConfig.FRAMEWORK_NAME, "");
        if (framework.equals(INCREMENTAL_LOCAL)) {
            return local.create(prepared(conf, MRConfig.LOCAL_FRAMEWORK_NAME, false));
        }
        if (framework.equals(INCREMENTAL_YARN)) {
            return yarn.create(prepared(conf, MRConfig.YARN_FRAMEWORK_NAME, true));
        }
        return null;
    }

    /** A client's own configuration, from which it may make jobs later, stays as it is: each job is asked for again. */
    private static Configuration prepared(Configuration conf, String framework, boolean shipJars) throws IOException {
        boolean job = Eligibility.isJob(conf);
        Configuration prepared = job ? conf : new Configuration(conf);
        prepared.set(MRConfig.FRAMEWORK_NAME, framework);
        if (job) {
            IncrementalJob.install(conf, shipJars);
        }
        return prepared;
    }

    /** Addresses belong to frameworks of old; none of ours has one. */
    @Override
    public @Nullable ClientProtocol create(InetSocketAddress address, Configuration conf) throws IOException {
        return create(conf);
    }

    @Override
    public void close(ClientProtocol protocol) throws IOException {
        yarn.close(protocol);
        local.close(protocol);
    }
}
