// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.map;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.input.InputChunk;
import io.shredder.incoop.memo.MemoCatalog.MemoRef;
import io.shredder.incoop.plan.ChunkGroup;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.junit.jupiter.api.Test;

class ChunkGroupSplitTest {

    @Test
    void aSplitTellsItsTaskWhatIsKeptOfEachChunk() throws Exception {
        Fingerprint content = Fingerprint.ofData(ByteBuffer.wrap(new byte[] {1}));
        ChunkGroup group = new ChunkGroup(
                "job-g00000.memo",
                List.of(new InputChunk("/a", 0, 1, content), new InputChunk("/a", 1, 2, content)),
                List.of(),
                List.of(List.of(), List.of(new MemoRef("one.memo", 3), new MemoRef("two.memo", 0))));
        DataOutputBuffer out = new DataOutputBuffer();
        new ChunkGroupSplit("hdfs://nn/memo", content, group).write(out);

        ChunkGroupSplit read = new ChunkGroupSplit();
        DataInputBuffer in = new DataInputBuffer();
        in.reset(out.getData(), out.getLength());
        read.readFields(in);

        assertThat(read.group()).isEqualTo(group);
        assertThat(in.available()).isZero();
    }
}
