// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.incoop.config.IncoopKeys;
import java.lang.reflect.Proxy;
import java.util.Optional;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.JobPriority;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.protocol.ClientProtocol;
import org.junit.jupiter.api.Test;

class PlainFallbackTest {

    /** As LocalJobRunner gives it: it goes on changing while the client looks at it. */
    private static final class LiveStatus extends JobStatus {

        LiveStatus(JobID id) {
            super(id, 0, 0, 0, 0, State.RUNNING, JobPriority.NORMAL, "me", "job", "queue", "file", "");
        }

        void fail() {
            setState(State.FAILED);
        }
    }

    @Test
    void whatAClientIsToldOfAJobDoesNotTurnIntoAFailureBehindTheGuardsBack() throws Exception {
        JobID id = new JobID("test", 1);
        LiveStatus live = new LiveStatus(id);
        ClientProtocol real = (ClientProtocol) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {ClientProtocol.class}, (proxy, method, arguments) -> live);
        JobConf conf = new JobConf();
        conf.set(IncoopKeys.PLAN_FILE, "/plan");
        conf.set(IncoopKeys.MEMO_OF_JOB, "/nowhere/" + "0".repeat(64));

        JobStatus told =
                PlainFallback.of(real, conf, new JobConf(), Optional.empty()).getJobStatus(id);
        live.fail();

        assertThat(told.isJobComplete()).isFalse();
        assertThat(told.getJobID()).isEqualTo(id);
    }
}
