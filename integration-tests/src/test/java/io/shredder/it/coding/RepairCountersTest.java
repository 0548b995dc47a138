// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class RepairCountersTest {
    private static final String ANSWER =
            """
            {"beans": [{"name": "Hadoop:service=DataNode,name=DataNodeActivity-h-9866", "BytesRead": 5,
              "EcReconstructionTasks": 4, "EcFailedReconstructionTasks": 1, "EcDecodingTimeNanos": 3000000000,
              "EcReconstructionBytesRead": 600, "EcReconstructionBytesWritten": 1500000000,
              "EcReconstructionRemoteBytesRead": 500}]}
            """;

    @Test
    void aDataNodesAnswerIsRead() throws Exception {
        RepairCounters counters = RepairCounters.parse(ANSWER);
        assertThat(counters).isEqualTo(new RepairCounters(4, 1, 600, 1_500_000_000, 3_000_000_000L));
        assertThat(counters.nsPerByte()).isEqualTo(2);
        assertThat(counters.plus(counters).minus(counters)).isEqualTo(counters);
        assertThat(RepairCounters.NONE.nsPerByte()).isNaN();
    }

    @Test
    void anAnswerWithoutACounterIsNoZero() {
        assertThatThrownBy(() -> RepairCounters.parse(ANSWER.replace("EcDecodingTimeNanos", "EcDecoding")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("EcDecodingTimeNanos");
        assertThatThrownBy(() -> RepairCounters.parse("{\"beans\": []}")).isInstanceOf(IOException.class);
    }

    @Test
    void aPropertyIsReadFromWhatADaemonAnswers() throws Exception {
        assertThat(DataNodeRepair.property("<configuration><property><name>n</name><value>rs_java</value>"))
                .isEqualTo("rs_java");
        assertThatThrownBy(() -> DataNodeRepair.property("no such page")).isInstanceOf(IOException.class);
    }
}
