// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import io.shredder.incoop.config.ReplacedClasses;
import io.shredder.incoop.verify.JobCheck;
import io.shredder.incoop.verify.Verification;
import io.shredder.incoop.verify.WatchedProtocol;
import io.shredder.incoop.world.JobWorld;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.LocalClientProtocolProvider;
import org.apache.hadoop.mapred.YarnClientProtocolProvider;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.protocol.ClientProtocol;
import org.apache.hadoop.mapreduce.protocol.ClientProtocolProvider;
import org.jspecify.annotations.Nullable;

/**
 * Answers to {@code mapreduce.framework.name=inc-local} and {@code inc-yarn}: makes the job incremental, then hands it
 * to the real framework, whose name it restores in the job's configuration. Found by {@link java.util.ServiceLoader}.
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
            return create(conf, local, MRConfig.LOCAL_FRAMEWORK_NAME, false);
        }
        if (framework.equals(INCREMENTAL_YARN)) {
            return create(conf, yarn, MRConfig.YARN_FRAMEWORK_NAME, true);
        }
        return null;
    }

    private static ClientProtocol create(
            Configuration conf, ClientProtocolProvider real, String framework, boolean shipJars) throws IOException {
        if (!ReplacedClasses.isJob(conf)) {
            // A client's own configuration, from which it may make jobs later: each job is asked for again.
            Configuration plain = new Configuration(conf);
            plain.set(MRConfig.FRAMEWORK_NAME, framework);
            return real.create(plain);
        }
        Optional<Verification> verification = Verification.ofThisProcess();
        Optional<JobCheck> check =
                verification.isEmpty() ? Optional.empty() : verification.get().begin((JobConf) conf, framework);
        conf.set(MRConfig.FRAMEWORK_NAME, framework);
        JobConf plain = PlainFallback.copy((JobConf) conf);
        boolean incremental = IncrementalJob.install(conf, shipJars);
        ClientProtocol protocol = real.create(conf);
        if (incremental && protocol != null) {
            protocol = PlainFallback.of(
                    protocol, (JobConf) conf, plain, shipJars ? Optional.empty() : Optional.of(JobWorld.of(plain)));
        }
        return check.isEmpty() ? protocol : WatchedProtocol.of(protocol, check.get(), verification.get());
    }

    /** Addresses belong to frameworks of old; none of ours has one. */
    @Override
    public @Nullable ClientProtocol create(InetSocketAddress address, Configuration conf) throws IOException {
        return create(conf);
    }

    @Override
    public void close(ClientProtocol protocol) throws IOException {
        ClientProtocol real = PlainFallback.unguarded(WatchedProtocol.unwatched(protocol));
        yarn.close(real);
        local.close(real);
    }
}
