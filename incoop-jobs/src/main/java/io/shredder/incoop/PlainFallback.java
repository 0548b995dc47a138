// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import io.shredder.incoop.config.IncoopKeys;
import io.shredder.incoop.config.MapOnly;
import io.shredder.incoop.memo.MemoStore;
import io.shredder.incoop.task.reduce.IncrementalShuffle;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.TIPStatus;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.protocol.ClientProtocol;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's way to the cluster on which an incremental job can't fail where a plain one would not: if it does,
 * whyever, the same job is run plainly, and answers from then on under the first one's id. Not if that might put
 * something out twice ({@link FailedOutput}). For clients that wait for their job, or ask how it stands. Safe for use
 * by several threads.
 */
public final class PlainFallback implements InvocationHandler {

    private static final Logger LOG = LoggerFactory.getLogger(PlainFallback.class);

    /** Progress is a sum of phases, each a rounded number. */
    private static final float ALL_MAPS = 0.999f;

    private final ClientProtocol real;
    private final JobConf live;
    private final JobConf plain;
    private final FailedOutput output;
    private final Optional<ClassLoader> world;
    private @Nullable Job second;
    private boolean killed;
    private boolean givenUp;

    private PlainFallback(
            ClientProtocol real, JobConf live, JobConf plain, FailedOutput output, Optional<ClassLoader> world) {
        this.real = real;
        this.live = live;
        this.plain = plain;
        this.output = output;
        this.world = world;
    }

    /** The job as it is before anything of ours is in it, to be kept for {@link #of}. */
    static JobConf copy(JobConf job) {
        // A JobConf's copy would share its credentials.
        JobConf copy = new JobConf(new Configuration(job));
        copy.getCredentials().addAll(job.getCredentials());
        copy.setClassLoader(job.getClassLoader());
        return copy;
    }

    /**
     * Guards the one job that is submitted through {@code real}.
     *
     * @param live the job's configuration, which the submission completes
     * @param plain a {@link #copy} of what it was before, with the real framework's name
     * @param world where the job's classes come from if its tasks run in this process
     */
    static ClientProtocol of(ClientProtocol real, JobConf live, JobConf plain, Optional<ClassLoader> world) {
        return (ClientProtocol) Proxy.newProxyInstance(
                ClientProtocol.class.getClassLoader(),
                new Class<?>[] {ClientProtocol.class},
                new PlainFallback(real, live, plain, FailedOutput.of(plain), world));
    }

    /** The one that Hadoop made, which it closes by its class. */
    static ClientProtocol unguarded(ClientProtocol protocol) {
        return Proxy.isProxyClass(protocol.getClass())
                        && Proxy.getInvocationHandler(protocol) instanceof PlainFallback guard
                ? guard.real
                : protocol;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        Job running = second();
        if (running != null && arguments != null && arguments.length > 0) {
            Optional<Object> answer = answer(running, method.getName(), arguments);
            if (answer.isPresent()) {
                return answer.get();
            }
        }
        Object result = method.getName().equals("submitJob") && world.isPresent() && isIncremental()
                ? submit(world.get(), method, arguments)
                : pass(method, arguments);
        if (running == null
                && result instanceof JobStatus status
                && method.getName().equals("getJobStatus")) {
            // A copy: LocalJobRunner's own goes on changing, and what is told must be what was looked at.
            return watched(new StatusUnderAnotherId(status, status.getJobID()));
        }
        return result;
    }

    /** Whether its plan has made it so; it may have found that it has to run plainly. */
    private boolean isIncremental() {
        return live.get(IncoopKeys.PLAN_FILE) != null;
    }

    private synchronized @Nullable Job second() {
        return second;
    }

    /** Hadoop's local runner takes a job's classes from the thread that submits it. */
    private Object submit(ClassLoader classes, Method method, Object[] arguments) throws Throwable {
        Thread thread = Thread.currentThread();
        ClassLoader outside = thread.getContextClassLoader();
        thread.setContextClassLoader(classes);
        try {
            return pass(method, arguments);
        } finally {
            thread.setContextClassLoader(outside);
        }
    }

    private Object pass(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** What the plain run answers to what is asked of the first one. */
    private static Optional<Object> answer(Job running, String method, Object[] arguments)
            throws IOException, InterruptedException {
        return switch (method) {
            case "getJobStatus" -> Optional.of(new StatusUnderAnotherId(running.getStatus(), (JobID) arguments[0]));
            case "getJobCounters" -> Optional.of(running.getCounters());
            case "getTaskReports" -> Optional.of(running.getTaskReports((TaskType) arguments[1]));
            case "getTaskCompletionEvents" ->
                Optional.of(running.getTaskCompletionEvents((Integer) arguments[1], (Integer) arguments[2]));
            case "getTaskDiagnostics" -> Optional.of(running.getTaskDiagnostics((TaskAttemptID) arguments[0]));
            case "killJob" -> {
                running.killJob();
                yield Optional.of(true);
            }
            default -> Optional.empty();
        };
    }

    /** Looks at how the incremental run stands; runs the job plainly if that has failed, or can't succeed. */
    private synchronized JobStatus watched(JobStatus status)
            throws IOException, InterruptedException, ClassNotFoundException {
        if (second != null) {
            return new StatusUnderAnotherId(second.getStatus(), status.getJobID());
        }
        if (!isIncremental() || givenUp) {
            return status;
        }
        if (!status.isJobComplete()) {
            if (!killed && read(MemoStore::refusal).isPresent()) {
                killed = true;
                real.killJob(status.getJobID());
            }
            return status;
        }
        IncrementalShuffle.endThoseOf(status.getJobID());
        boolean failed = status.getState() == JobStatus.State.FAILED;
        if (!failed && !(killed && status.getState() == JobStatus.State.KILLED)) {
            return status;
        }
        return runPlainly(status);
    }

    private JobStatus runPlainly(JobStatus status) throws IOException, InterruptedException, ClassNotFoundException {
        String reason = read(MemoStore::refusal).orElseGet(() -> "its incremental run failed: " + failure(status));
        Optional<String> objection = output.objection(mayHaveReduced(status));
        if (objection.isPresent()) {
            givenUp = true;
            LOG.warn(
                    "incoop: the job has failed, since {}. It is not run plainly, which might put something out twice:"
                            + " {}. Look what is there, then run it again with {}={}",
                    reason,
                    objection.get(),
                    MRConfig.FRAMEWORK_NAME,
                    plain.get(MRConfig.FRAMEWORK_NAME));
            return status;
        }
        output.takeBack();
        Job job = Job.getInstance(plain);
        job.submit();
        second = job;
        LOG.info("incoop: the job runs plainly, as {}: {}", job.getJobID(), reason);
        return new StatusUnderAnotherId(job.getStatus(), status.getJobID());
    }

    /** No reducer gets a record before each map has ended well; a cluster that knows of no maps may have lost them. */
    private boolean mayHaveReduced(JobStatus status) throws IOException, InterruptedException {
        if (MapOnly.is(live)) {
            return true;
        }
        if (world.isPresent()) {
            boolean mapsAreMissing = live.getInt(MRJobConfig.NUM_MAPS, 0) > 0 && status.getMapProgress() < ALL_MAPS;
            return !mapsAreMissing || status.getReduceProgress() > 0;
        }
        boolean reduced = Stream.of(real.getTaskReports(status.getJobID(), TaskType.REDUCE))
                .anyMatch(task -> task.getCurrentStatus() == TIPStatus.COMPLETE);
        return reduced
                || Stream.of(real.getTaskReports(status.getJobID(), TaskType.MAP))
                        .allMatch(task -> task.getCurrentStatus() == TIPStatus.COMPLETE);
    }

    private String failure(JobStatus status) {
        String told = read(memos -> memos.takeFailure(status.getJobID().toString()))
                .orElse(String.valueOf(status.getFailureInfo()));
        return told.strip().lines().findFirst().orElse("its tasks' logs say why");
    }

    private interface Word {
        Optional<String> of(MemoStore memos) throws IOException;
    }

    /** What its tasks have left word of, if the store can be read. */
    private Optional<String> read(Word word) {
        try {
            return word.of(MemoStore.ofJob(live));
        } catch (IOException | RuntimeException e) {
            LOG.debug("nothing can be read", e);
            return Optional.empty();
        }
    }

    /** How a job stands, told of another one. */
    private static final class StatusUnderAnotherId extends JobStatus {

        private final JobID id;

        StatusUnderAnotherId(JobStatus status, JobID id) throws IOException {
            DataOutputBuffer out = new DataOutputBuffer();
            status.write(out);
            DataInputBuffer in = new DataInputBuffer();
            in.reset(out.getData(), out.getLength());
            readFields(in);
            this.id = id;
        }

        @Override
        public JobID getJobID() {
            return id;
        }
    }
}
