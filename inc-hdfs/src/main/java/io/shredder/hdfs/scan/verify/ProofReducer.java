// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.verify;

import io.shredder.hdfs.scan.plan.ScannedFile;
import io.shredder.hdfs.scan.plan.TaskRecords;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Reducer;

/** Brings the parts of each file together. */
public final class ProofReducer extends Reducer<BytesWritable, BytesWritable, NullWritable, BytesWritable> {

    @Override
    protected void reduce(BytesWritable key, Iterable<BytesWritable> values, Context context)
            throws IOException, InterruptedException {
        ScannedFile file = TaskRecords.read(key, ScannedFile::read);
        List<PartProof> parts = new ArrayList<>();
        for (BytesWritable value : values) {
            parts.add(TaskRecords.read(value, PartProof::read));
        }
        FileProof proof = FileProof.of(file.path(), file.length(), parts);
        context.write(NullWritable.get(), TaskRecords.of(proof::write));
    }
}
