// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.reduce;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.io.serializer.SerializationFactory;
import org.apache.hadoop.io.serializer.Serializer;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.IFile;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.StatusReporter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.reduce.WrappedReducer;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.ReduceContextImpl;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * Runs a combiner of the new API over those records only that share their key: a combiner may run any number of
 * times, and the others have been through it already, so they need not be deserialized. Only for a combiner that
 * writes all it has to write of a key before it takes the next one; what comes out of order shows that it doesn't.
 * One thread.
 */
final class SparingCombiner<K, V> {

    private static final int RECORDS_BEFORE_PROGRESS = 10_000;

    /** The combiner does not write in the order of keys. */
    static final class OutOfOrderException extends IOException {
        private static final long serialVersionUID = 1;

        OutOfOrderException() {
            super("the combiner does not write in the order of keys");
        }
    }

    private final JobConf conf;
    private final TaskAttemptID attempt;
    private final StatusReporter reporter;
    private final Class<? extends Reducer<K, V, K, V>> combiner;
    private final Class<K> keyClass;
    private final Class<V> valueClass;

    private SparingCombiner(
            JobConf conf,
            TaskAttemptID attempt,
            StatusReporter reporter,
            Class<? extends Reducer<K, V, K, V>> combiner,
            Class<K> keyClass,
            Class<V> valueClass) {
        this.conf = conf;
        this.attempt = attempt;
        this.reporter = reporter;
        this.combiner = combiner;
        this.keyClass = keyClass;
        this.valueClass = valueClass;
    }

    /** That of a job, if its combiner is one to be run so. */
    @SuppressWarnings("unchecked")
    static <K, V> Optional<SparingCombiner<K, V>> of(JobConf conf, TaskAttemptID attempt, StatusReporter reporter)
            throws ClassNotFoundException {
        Class<?> combiner = new JobContextImpl(conf, new JobID()).getCombinerClass();
        if (conf.getCombinerClass() != null || combiner == null || !writesKeyByKey(combiner)) {
            return Optional.empty();
        }
        return Optional.of(new SparingCombiner<>(
                conf,
                attempt,
                reporter,
                (Class<? extends Reducer<K, V, K, V>>) combiner,
                (Class<K>) conf.getMapOutputKeyClass(),
                (Class<V>) conf.getMapOutputValueClass()));
    }

    /** Whether only its {@code reduce} can write, as far as that is seen without running it. */
    private static boolean writesKeyByKey(Class<?> combiner) {
        for (Class<?> each = combiner; each != null && each != Reducer.class; each = each.getSuperclass()) {
            if (declares(each, "run") || declares(each, "cleanup")) {
                return false;
            }
        }
        return true;
    }

    private static boolean declares(Class<?> type, String method) {
        try {
            return type.getDeclaredMethod(method, Reducer.Context.class) != null;
        } catch (NoSuchMethodException e) {
            return false;
        } catch (LinkageError e) {
            return true;
        }
    }

    /**
     * Combines sorted records into a segment.
     *
     * @throws OutOfOrderException if what was written is no segment
     */
    void combine(RawKeyValueIterator sorted, IFile.Writer<K, V> segment) throws IOException, InterruptedException {
        Output output = new Output(segment);
        Companions companions = new Companions(sorted, conf.getCombinerKeyGroupingComparator(), output::append);
        Reducer<K, V, K, V> reducer = ReflectionUtils.newInstance(combiner, conf);
        try {
            reducer.run(new WrappedReducer<K, V, K, V>().getReducerContext(new Context(companions, output)));
        } catch (IOException | InterruptedException | RuntimeException e) {
            companions.close();
            output.checkOrder();
            throw e;
        }
        output.checkOrder();
    }

    /** Tells when a group begins. */
    private final class Context extends ReduceContextImpl<K, V, K, V> {
        private final Companions companions;

        @SuppressWarnings("unchecked")
        Context(Companions companions, RecordWriter<K, V> output) throws IOException, InterruptedException {
            super(
                    conf,
                    attempt,
                    companions,
                    new Counters.Counter(),
                    new Counters.Counter(),
                    output,
                    null,
                    SparingCombiner.this.reporter,
                    (RawComparator<K>) conf.getCombinerKeyGroupingComparator(),
                    keyClass,
                    valueClass);
            this.companions = companions;
        }

        @Override
        public boolean nextKey() throws IOException, InterruptedException {
            boolean more = super.nextKey();
            if (more) {
                companions.groupBegins();
            } else {
                companions.groupsEnd();
            }
            return more;
        }
    }

    /** Takes records only in order. */
    private final class Output extends RecordWriter<K, V> {
        private final IFile.Writer<K, V> segment;
        private final RawComparator<?> order = conf.getOutputKeyComparator();
        private final Serializer<K> keys;
        private final Serializer<V> values;
        private final DataOutputBuffer keyBytes = new DataOutputBuffer();
        private final DataOutputBuffer valueBytes = new DataOutputBuffer();
        private final DataInputBuffer key = new DataInputBuffer();
        private final DataInputBuffer value = new DataInputBuffer();
        private final DataOutputBuffer last = new DataOutputBuffer();
        private long records;
        private boolean outOfOrder;

        Output(IFile.Writer<K, V> segment) throws IOException {
            this.segment = segment;
            var serializations = new SerializationFactory(conf);
            this.keys = serializations.getSerializer(keyClass);
            this.values = serializations.getSerializer(valueClass);
            keys.open(keyBytes);
            values.open(valueBytes);
        }

        @Override
        public void write(K nextKey, V nextValue) throws IOException {
            checkClass("key", nextKey, keyClass);
            checkClass("value", nextValue, valueClass);
            keyBytes.reset();
            valueBytes.reset();
            keys.serialize(nextKey);
            values.serialize(nextValue);
            key.reset(keyBytes.getData(), keyBytes.getLength());
            value.reset(valueBytes.getData(), valueBytes.getLength());
            append(key, value);
        }

        private void checkClass(String what, Object object, Class<?> wanted) throws IOException {
            if (object.getClass() != wanted) {
                throw new IOException("wrong " + what + " class: " + object.getClass() + " is not " + wanted);
            }
        }

        void append(DataInputBuffer nextKey, DataInputBuffer nextValue) throws IOException {
            byte[] bytes = nextKey.getData();
            int start = nextKey.getPosition();
            int length = nextKey.getLength() - start;
            outOfOrder |= records > 0 && order.compare(last.getData(), 0, last.getLength(), bytes, start, length) > 0;
            checkOrder();
            last.reset();
            last.write(bytes, start, length);
            segment.append(nextKey, nextValue);
            if (++records % RECORDS_BEFORE_PROGRESS == 0) {
                reporter.progress();
            }
        }

        /** To be asked at the end, too: who writes may have caught the exception, or thrown another one for it. */
        void checkOrder() throws OutOfOrderException {
            if (outOfOrder) {
                throw new OutOfOrderException();
            }
        }

        @Override
        public void close(TaskAttemptContext context) {}
    }
}
