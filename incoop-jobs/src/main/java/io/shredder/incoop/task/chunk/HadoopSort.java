// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.chunk;

import io.shredder.incoop.task.Staging;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.IndexRecord;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapOutputCollector;
import org.apache.hadoop.mapred.MapOutputFile;
import org.apache.hadoop.mapred.MapTask;
import org.apache.hadoop.mapred.SpillRecord;
import org.apache.hadoop.mapreduce.MRJobConfig;

/** Hadoop's own sort buffer, which spills to the local disk what it has no room for. */
final class HadoopSort<K, V> implements ChunkSort<K, V> {

    private static final int MAX_SEGMENT_BYTES = Integer.MAX_VALUE - 16;

    private final MapTask.MapOutputBuffer<K, V> buffer = new MapTask.MapOutputBuffer<>();
    private final JobConf conf;
    private final MapOutputFile files;

    /**
     * @param task the chunk's
     * @param conf of partitioner, comparators and combiner
     */
    HadoopSort(ChunkTask task, JobConf conf) throws IOException, ClassNotFoundException {
        this.conf = conf;
        this.files = task.getMapOutputFile();
        // When the buffer spills depends on time; combined once more, what it gives does not.
        conf.setInt(MRJobConfig.MAP_COMBINE_MIN_SPILLS, 1);
        buffer.init(new MapOutputCollector.Context(task, conf, task.reporter()));
    }

    @Override
    public void collect(K key, V value, int partition) throws IOException {
        buffer.collect(key, value, partition);
    }

    @Override
    public List<byte[]> finish() throws IOException, InterruptedException, ClassNotFoundException {
        buffer.flush();
        buffer.close();
        FileSystem local = Staging.localFs(conf);
        Path output = files.getOutputFile();
        Path index = files.getOutputIndexFile();
        SpillRecord spill = new SpillRecord(index, conf);
        List<byte[]> segments = new ArrayList<>();
        try (FSDataInputStream in = local.open(output)) {
            for (int p = 0; p < conf.getNumReduceTasks(); p++) {
                IndexRecord part = spill.getIndex(p);
                if (part.partLength > MAX_SEGMENT_BYTES) {
                    throw new IOException("the output of one chunk for partition " + p + " has " + part.partLength
                            + " bytes, at most " + MAX_SEGMENT_BYTES
                            + " can be kept: upload the input with smaller chunks");
                }
                byte[] segment = new byte[(int) part.partLength];
                in.readFully(part.startOffset, segment);
                segments.add(segment);
            }
        }
        local.delete(output, false);
        local.delete(index, false);
        return segments;
    }

    /** Ends the buffer's thread. */
    @Override
    public void abandon(Throwable cause) {
        try {
            buffer.flush();
            buffer.close();
        } catch (IOException | InterruptedException | ClassNotFoundException | RuntimeException | Error e) {
            // The buffer may throw once more what it has thrown before.
            if (!e.equals(cause)) {
                cause.addSuppressed(e);
            }
        }
    }
}
