// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.config.IncoopKeys;
import io.shredder.incoop.input.InputChunk;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class QuickJobTest {

    private static final String HEARTBEAT = "yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms";
    private static final String SLOW_START = "mapreduce.job.reduce.slowstart.completedmaps";

    private final Configuration conf = new Configuration(false);

    @Test
    void aJobWithFewChangedBytesIsHurried() {
        conf.set("mapred.child.java.opts", "-Xmx300m");
        conf.set("mapreduce.reduce.java.opts", "-Xmx900m");
        conf.set("yarn.app.mapreduce.am.command-opts", "-Xmx1024m");

        QuickJob.consider(conf, changed(1 << 20, 5 << 20), 0);

        assertThat(conf.getFloat(SLOW_START, 1)).isZero();
        assertThat(conf.getInt(HEARTBEAT, 1000)).isEqualTo(100);
        assertThat(conf.get("mapreduce.client.progressmonitor.pollinterval")).isEqualTo("200");
        assertThat(conf.get("mapreduce.map.java.opts")).isEqualTo("-XX:TieredStopAtLevel=1 -Xmx300m");
        assertThat(conf.get("mapreduce.reduce.java.opts")).isEqualTo("-XX:TieredStopAtLevel=1 -Xmx900m");
        assertThat(conf.get("yarn.app.mapreduce.am.command-opts")).isEqualTo("-XX:TieredStopAtLevel=1 -Xmx1024m");
    }

    @Test
    void aJobWithoutChangesIsHurriedWhateverTheLimit() {
        conf.set(IncoopKeys.QUICK_BYTES, "0");

        QuickJob.consider(conf, List.of(), 0);

        assertThat(conf.getFloat(SLOW_START, 1)).isZero();
    }

    @Test
    void reduceTasksOfALongerJobStartBesideItsMapsAndTheTasksAreCompiledWell() {
        conf.set(IncoopKeys.QUICK_BYTES, "6m");
        conf.set("mapred.child.java.opts", "-Xmx300m");

        QuickJob.consider(conf, changed(1 << 20, 6 << 20), 0);

        assertThat(conf.getFloat(SLOW_START, 1)).isZero();
        assertThat(conf.getInt(HEARTBEAT, 1000)).isEqualTo(400);
        assertThat(conf.get("mapreduce.client.progressmonitor.pollinterval")).isNull();
        assertThat(conf.get("yarn.app.mapreduce.am.command-opts")).isEqualTo("-XX:TieredStopAtLevel=1");
        assertThat(conf.get("mapreduce.map.java.opts")).isNull();
        assertThat(conf.get("mapreduce.reduce.java.opts")).isNull();
    }

    @Test
    void aJobWithMoreChangedBytesStaysAsItIs() {
        conf.set(IncoopKeys.QUICK_BYTES, "5m");
        conf.set(IncoopKeys.HURRIED_BYTES, "6m");

        QuickJob.consider(conf, changed(1 << 20, (5 << 20) + 1), 0);

        assertThat(conf.get(SLOW_START)).isNull();
        assertThat(conf.get(HEARTBEAT)).isNull();
        assertThat(conf.get("mapreduce.map.java.opts")).isNull();
        assertThat(conf.get("yarn.app.mapreduce.am.command-opts")).isNull();
    }

    @Test
    void shorterIntervalsAndOtherOptionsStay() {
        conf.set(HEARTBEAT, "50");
        conf.set(IncoopKeys.QUICK_JAVA_OPTIONS, "");
        conf.set("mapreduce.map.java.opts", "-Xmx1g");

        QuickJob.consider(conf, changed(1), 0);

        assertThat(conf.get(HEARTBEAT)).isEqualTo("50");
        assertThat(conf.get("mapreduce.map.java.opts")).isEqualTo("-Xmx1g");
    }

    private static List<ChunkGroup> changed(int... lengths) {
        return Arrays.stream(lengths)
                .mapToObj(length -> new InputChunk("/in", 0, length, Fingerprint.ofData(ByteBuffer.allocate(1))))
                .map(chunk -> new ChunkGroup("a.memo", List.of(chunk), List.of()))
                .toList();
    }
}
