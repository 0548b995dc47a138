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
            conf.set(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME);
            IncrementalJob.install(conf, false);
            return local.create(conf);
        }
        if (framework.equals(INCREMENTAL_YARN)) {
            conf.set(MRConfig.FRAMEWORK_NAME, MRConfig.YARN_FRAMEWORK_NAME);
            IncrementalJob.install(conf, true);
            return yarn.create(conf);
        }
        return null;
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
