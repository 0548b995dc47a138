// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.identity;

import static io.shredder.incoop.identity.Identities.differences;
import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.IncoopProtocolProvider;
import io.shredder.incoop.identity.Identities.Change;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;
import org.apache.hadoop.mapreduce.lib.reduce.LongSumReducer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a reduce task's output depends on and no map's. */
class ReduceIdentityTest {

    @ParameterizedTest
    @CsvSource({
        "mapreduce.reduce.java.opts, -Dcase=lower",
        "mapreduce.reduce.env, CASE=lower",
        "mapreduce.admin.reduce.child.java.opts, -Dcase=lower",
        "mapreduce.output.fileoutputformat.compress, true",
        "mapreduce.output.fileoutputformat.compress.codec, org.apache.hadoop.io.compress.BZip2Codec",
        "mapreduce.reduce.skip.maxgroups, 7"
    })
    void whatOnlyReduceTasksSeeCountsHereAndNotForMaps(String key, String value) throws Exception {
        Change change = job -> job.getConfiguration().set(key, value);

        assertThat(identity(change)).isNotEqualTo(identity(job -> {}));
        assertThat(differences(change)).isEmpty();
    }

    /** So reduce tasks, whose part files are kept under the job's identity, don't reuse one of another value either. */
    @ParameterizedTest
    @CsvSource({
        "mapreduce.output.acme, 1",
        "mapreduce.output.fileoutputformat.acme, 1",
        "mapreduce.output.textoutputformat.separator, ;",
        "mapreduce.reduce.acme, 1",
        "mapreduce.reduce.shuffle.acme, 1",
        "mapreduce.fileoutputcommitter.acme, 1",
        "mapreduce.outputcommitter.factory.class, com.acme.Factory",
        "dfs.acme, 1"
    })
    void whatCouldBeAnybodysOwnCountsForTheWholeJob(String key, String value) throws Exception {
        assertThat(differences(job -> job.getConfiguration().set(key, value))).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "mapreduce.reduce.memory.mb, 4096",
        "mapreduce.reduce.java.opts, -Xmx3g",
        "mapreduce.reduce.shuffle.parallelcopies, 50",
        "mapreduce.reduce.maxattempts, 9",
        "mapreduce.reduce.speculative, false",
        "dfs.replication, 2"
    })
    void placesMemoryAndRetriesCountForNobody(String key, String value) throws Exception {
        Change change = job -> job.getConfiguration().set(key, value);

        assertThat(identity(change)).isEqualTo(identity(job -> {}));
        assertThat(differences(change)).isEmpty();
    }

    @Test
    void theReducerCountsAndThePlaceOfTheOutputDoesNot() throws Exception {
        assertThat(identity(job -> job.setReducerClass(LongSumReducer.class))).isNotEqualTo(identity(job -> {}));
        assertThat(identity(job -> FileOutputFormat.setOutputPath(job, new Path("/elsewhere"))))
                .isEqualTo(identity(job -> {}));
    }

    private static Fingerprint identity(Change change) throws Exception {
        return ReduceIdentity.of(Identities.submitted(IncoopProtocolProvider.INCREMENTAL_LOCAL, job -> {
            job.getConfiguration().setBoolean("mapred.reducer.new-api", true);
            job.setReducerClass(IntSumReducer.class);
            change.apply(job);
        }));
    }
}
