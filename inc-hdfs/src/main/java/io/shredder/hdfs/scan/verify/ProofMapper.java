// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.verify;

import io.shredder.hdfs.scan.plan.LastAttempt;
import io.shredder.hdfs.scan.plan.ScanSplit;
import io.shredder.hdfs.scan.plan.ScanSplit.Part;
import io.shredder.hdfs.scan.plan.TaskRecords;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.Mapper;

/** Reads the parts of its split and proves their chunks. */
public final class ProofMapper extends Mapper<NullWritable, NullWritable, BytesWritable, BytesWritable> {

    @Override
    public void run(Context context) throws IOException, InterruptedException {
        try (PartProver prover = ListingProver.of(context.getConfiguration()).orElseGet(ManifestProver::new)) {
            for (Part part : ((ScanSplit) context.getInputSplit()).parts()) {
                PartProof proof = prove(prover, part, context);
                context.write(TaskRecords.of(part.file()::write), TaskRecords.of(proof::write));
                context.progress();
            }
        }
    }

    /** What can't be read is tried again by another attempt, if there will be one. */
    private static PartProof prove(PartProver prover, Part part, Context context) throws IOException {
        try {
            return prover.prove(part.file().path().getFileSystem(context.getConfiguration()), part, context::progress);
        } catch (FileNotFoundException e) {
            return PartProof.without(ProofState.FAILED, "it went away while it was verified");
        } catch (IOException e) {
            if (LastAttempt.is(context, MRJobConfig.MAP_MAX_ATTEMPTS)) {
                return PartProof.without(ProofState.FAILED, LastAttempt.reason(e));
            }
            throw e;
        }
    }
}
