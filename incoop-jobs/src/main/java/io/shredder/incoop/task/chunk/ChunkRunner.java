// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.chunk;

import io.shredder.incoop.config.Originals;
import io.shredder.incoop.format.ChunkInput;
import io.shredder.incoop.format.ChunkRecords;
import io.shredder.incoop.format.PositionWatch;
import io.shredder.incoop.format.UnservedFormatException;
import io.shredder.incoop.input.InputChunk;
import io.shredder.incoop.input.InputFormats;
import io.shredder.incoop.input.InputTag;
import io.shredder.incoop.memo.Dependency;
import io.shredder.incoop.memo.Reuse;
import io.shredder.incoop.task.PlainRunNeededException;
import io.shredder.incoop.task.TaggedSplits;
import io.shredder.incoop.task.WatchedConf;
import io.shredder.incoop.world.ClientStatics;
import io.shredder.incoop.world.JobWorld;
import io.shredder.incoop.world.LocalFiles;
import io.shredder.incoop.world.Sightings;
import io.shredder.incoop.world.Worlds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapOutputFile;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.util.Progressable;
import org.apache.hadoop.util.QuickSort;
import org.jspecify.annotations.Nullable;

/**
 * Maps chunks, one after the other. Each chunk gets a mapper of the job's class that was set up and not used ({@link
 * SetUps}), a world of its own ({@link Worlds}), configuration and sort buffer, exactly as if it were a split. What
 * it asks for is seen ({@link Sightings}). Its output is sorted and combined in memory ({@link MemorySort}). Used by
 * one thread; keeps the last input file open until {@link #close}.
 */
public final class ChunkRunner implements AutoCloseable {

    /** Sort buffer for a chunk, in chunk lengths: short words come to about this much, with their bookkeeping. */
    private static final int SORT_BUFFER_FACTOR = 8;

    private static final int SMALLEST_SORT_BUFFER_MB = 8;

    /** Which part of the heap is sorted in: as an array grows, two and a half times as much is held for a moment. */
    private static final int SORT_HEAP_PARTS = 8;

    private final Configuration task;
    /** As the job's own code finds it. */
    private final JobConf conf;

    private final TaskAttemptID attempt;
    private final MapOutputFile files;
    private final Progressable alive;
    private final Consumer<String> status;
    private final LocalFiles localFiles;
    private final @Nullable ClientStatics clientStatics;
    private @Nullable Worlds worlds;
    private @Nullable SetUps setUps;
    private @Nullable ChunkRecords records;
    private @Nullable ClassLoader recordsOf;
    private InputTag recordsTag = InputTag.NONE;
    private @Nullable Path openPath;
    private @Nullable FSDataInputStream openFile;

    /**
     * @param conf the task's
     * @param attempt the real task attempt
     * @param files where a chunk's output goes for a moment; nobody else may use it meanwhile
     * @param alive the real task's sign of life
     * @param status the real task's status line
     */
    public ChunkRunner(
            Configuration conf,
            TaskAttemptID attempt,
            MapOutputFile files,
            Progressable alive,
            Consumer<String> status) {
        this.task = conf;
        this.conf = Originals.ownCopy(conf);
        this.attempt = attempt;
        this.files = files;
        this.alive = alive;
        this.status = status;
        this.localFiles = LocalFiles.of(this.conf);
        this.clientStatics = JobWorld.around(conf).isPresent() ? new ClientStatics(conf) : null;
    }

    /**
     * Maps one chunk.
     *
     * @throws PlainRunNeededException if the mapper can't be run for a chunk, or the chunk is not there any more
     * @throws IOException if the input can't be read or the map fails
     */
    public ChunkOutput run(InputChunk chunk) throws IOException, InterruptedException, ClassNotFoundException {
        try (PositionWatch watch = new PositionWatch()) {
            Sightings sightings = new Sightings(conf, watch, localFiles, false);
            ChunkOutput output;
            try {
                output = runInAWorld(chunk, watch, sightings);
            } catch (IOException | InterruptedException | ClassNotFoundException | RuntimeException | Error e) {
                throwIfPlain(sightings, e);
                throw e;
            }
            throwIfPlain(sightings, null);
            return output;
        }
    }

    /** Whatever became of it: code may catch what was thrown in its face. */
    private static void throwIfPlain(Sightings sightings, @Nullable Throwable cause) throws PlainRunNeededException {
        if (sightings.plainReason().isPresent()) {
            throw new PlainRunNeededException(sightings.plainReason().get(), cause);
        }
    }

    private ChunkOutput runInAWorld(InputChunk chunk, PositionWatch watch, Sightings sightings)
            throws IOException, InterruptedException, ClassNotFoundException {
        Thread thread = Thread.currentThread();
        ClassLoader outside = thread.getContextClassLoader();
        if (worlds == null || setUps == null) {
            worlds = new Worlds(conf, () -> new Sightings(conf, new PositionWatch(), localFiles, false));
            setUps = new SetUps(worlds);
        }
        ClassLoader world = worlds.next(sightings);
        thread.setContextClassLoader(world);
        try {
            return map(chunk, world, setUps, watch, sightings);
        } finally {
            thread.setContextClassLoader(outside);
        }
    }

    private ChunkOutput map(
            InputChunk chunk, ClassLoader world, SetUps setUps, PositionWatch watch, Sightings sightings)
            throws IOException, InterruptedException, ClassNotFoundException {
        ChunkTask task = new ChunkTask(attempt, files, alive, status);
        ChunkInput in = new ChunkInput(
                open(chunk), new Path(chunk.path()), chunk.offset(), chunk.length(), chunk.header(), watch);
        JobConf sortConf = sortConf(chunk, world, watch, sightings);
        ChunkSort<Object, Object> sort = sort(task, sortConf);
        try {
            map(
                    new ChunkMap(chunk, in, task, world, setUps, watch, sightings),
                    new PartitionedWriter<>(sort, sortConf));
        } catch (IOException | InterruptedException | ClassNotFoundException | RuntimeException | Error e) {
            sort.abandon(e);
            throw e;
        }
        List<byte[]> segments = sort.finish();
        task.reporter().getCounter(FileInputFormatCounter.BYTES_READ).increment(chunk.length());
        checkContent(chunk, in);
        Optional<List<Dependency>> dependencies = sightings.dependencies();
        Reuse reuse = dependencies.isEmpty() || watch.wasAsked() ? Reuse.POSITION_DEPENDENT : Reuse.REUSABLE;
        return new ChunkOutput(reuse, segments, task.counterValues(), withStatics(dependencies.orElse(List.of())));
    }

    /** With what the classes that were loaded for it depend on, if others of the same name are in this process. */
    private List<Dependency> withStatics(List<Dependency> seen) throws PlainRunNeededException {
        if (clientStatics == null || worlds == null) {
            return seen;
        }
        Collection<Class<?>> used = worlds.used();
        Optional<String> changed = clientStatics.changed(used);
        if (changed.isPresent()) {
            throw new PlainRunNeededException(ClientStatics.reason(changed.get()));
        }
        List<Dependency> all = new ArrayList<>(seen);
        all.add(ClientStatics.asNew(used));
        return all;
    }

    /** What belongs to the map of one chunk. */
    private record ChunkMap(
            InputChunk chunk,
            ChunkInput in,
            ChunkTask task,
            ClassLoader world,
            SetUps setUps,
            PositionWatch watch,
            Sightings sightings) {}

    /** In memory, unless the job has an algorithm of its own for Hadoop's sort buffer. */
    private ChunkSort<Object, Object> sort(ChunkTask task, JobConf sortConf)
            throws IOException, ClassNotFoundException {
        long allowed = (long) conf.getInt(MRJobConfig.IO_SORT_MB, MRJobConfig.DEFAULT_IO_SORT_MB) << 20;
        long room = Math.min(allowed, Runtime.getRuntime().maxMemory() / SORT_HEAP_PARTS);
        return sortConf.getClass("map.sort.class", QuickSort.class) == QuickSort.class
                ? new MemorySort<>(task, attempt, sortConf, room)
                : new HadoopSort<>(task, sortConf);
    }

    private void map(ChunkMap map, PartitionedWriter<Object, Object> writer)
            throws IOException, InterruptedException, ClassNotFoundException {
        try (MapperShares<Object, Object> shares = shares(map)) {
            do {
                RecordReader<Object, Object> counted =
                        new CountedReader<>(shares, map.task().reporter().getCounter(TaskCounter.MAP_INPUT_RECORDS));
                mapShare(map, counted, writer);
            } while (shares.nextShare());
        }
    }

    private void mapShare(ChunkMap map, RecordReader<Object, Object> reader, PartitionedWriter<Object, Object> writer)
            throws IOException, InterruptedException, ClassNotFoundException {
        InputTag tag = map.chunk().tag();
        WatchedConf mapperConf = new WatchedConf(confOf(map.world()), map.sightings(), map.watch());
        SetUps.ForChunk chunk = new SetUps.ForChunk(
                map.world(), tag, records(map.world(), tag).settings(), mapperConf, map.task(), map.sightings());
        if (conf.getUseNewMapper()) {
            InputSplit split = TaggedSplits.tagged(ChunkSplit.ofNewApi(map.chunk(), map.sightings()), tag, mapperConf);
            new NewApiMap(map.setUps(), chunk)
                    .run(new ChunkContext<>(
                            mapperConf, map.task(), reader, writer, split, map.watch(), map.sightings()));
        } else {
            new OldApiMap(map.setUps(), chunk)
                    .run(
                            // Of a split with a tag Hadoop does not tell it.
                            tag.isNone() ? Optional.of(map.chunk().path()) : Optional.empty(),
                            new OldApiReader<>(reader, conf, map.chunk().length(), map.sightings()::onlyPlain),
                            writer,
                            new OldApiMap.WatchedReporter(
                                    map.task().reporter(),
                                    TaggedSplits.tagged(
                                            ChunkSplit.ofOldApi(map.chunk(), map.sightings()), tag, mapperConf)));
        }
    }

    private JobConf confOf(ClassLoader world) {
        JobConf own = new JobConf(conf);
        own.setClassLoader(world);
        own.setCredentials(new Credentials(conf.getCredentials()));
        return own;
    }

    @SuppressWarnings("unchecked")
    private MapperShares<Object, Object> shares(ChunkMap map)
            throws IOException, InterruptedException, ClassNotFoundException {
        ChunkRecords format = records(map.world(), map.chunk().tag());
        RecordReader<?, ?> read = format.open(map.in(), new TaskAttemptContextImpl(confOf(map.world()), attempt));
        return new MapperShares<>((RecordReader<Object, Object>) read, format.recordsPerMapper());
    }

    private ChunkRecords records(ClassLoader world, InputTag tag) throws IOException, ClassNotFoundException {
        if (records != null && world.equals(recordsOf) && tag.equals(recordsTag)) {
            return records;
        }
        JobConf own = confOf(world);
        try {
            records = InputFormats.records(tag, own);
            recordsOf = world;
            recordsTag = tag;
            return records;
        } catch (UnservedFormatException e) {
            throw new IOException(
                    "a job that was submitted with other services on its class path: " + e.getMessage(), e);
        }
    }

    /** Other bytes may end within a record, and those before and behind them be of another file. */
    private static void checkContent(InputChunk chunk, ChunkInput in) throws IOException {
        if (!in.isAsPromised(chunk.content())) {
            throw new PlainRunNeededException("its input " + chunk.path() + " holds other bytes at " + chunk.offset()
                    + " than its manifest says: it changed while the job ran, or its manifest is stale");
        }
    }

    /** That of sort buffer, partitioner, comparators and combiner. */
    private JobConf sortConf(InputChunk chunk, ClassLoader world, PositionWatch watch, Sightings sightings)
            throws IOException, ClassNotFoundException {
        JobConf sortConf = new WatchedConf(confOf(world), sightings, watch);
        records(world, chunk.tag()).settings().forEach(sortConf::set);
        long wanted = Math.max(SMALLEST_SORT_BUFFER_MB, ((long) chunk.length() * SORT_BUFFER_FACTOR) >> 20);
        int allowed = conf.getInt(MRJobConfig.IO_SORT_MB, MRJobConfig.DEFAULT_IO_SORT_MB);
        sortConf.setInt(MRJobConfig.IO_SORT_MB, (int) Math.min(wanted, allowed));
        for (String key : List.of(MRJobConfig.MAP_OUTPUT_COMPRESS, MRJobConfig.MAP_OUTPUT_COMPRESS_CODEC)) {
            sortConf.set(key, task.get(key));
        }
        return sortConf;
    }

    private FSDataInputStream open(InputChunk chunk) throws IOException {
        Path path = new Path(chunk.path());
        if (openFile == null || !path.equals(openPath)) {
            closeFile();
            openFile = path.getFileSystem(conf).open(path);
            openPath = path;
        }
        return openFile;
    }

    @Override
    public void close() throws IOException {
        if (worlds != null) {
            worlds.close();
        }
        closeFile();
    }

    private void closeFile() throws IOException {
        if (openFile != null) {
            openFile.close();
            openFile = null;
        }
    }
}
