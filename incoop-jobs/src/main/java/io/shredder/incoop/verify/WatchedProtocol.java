// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.verify;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.protocol.ClientProtocol;

/** A client's way to the cluster that tells a {@link JobCheck} when its job goes there, and when it has ended. */
public final class WatchedProtocol implements InvocationHandler {

    private final ClientProtocol real;
    private final JobCheck check;
    private final Verification verification;
    private boolean done;

    private WatchedProtocol(ClientProtocol real, JobCheck check, Verification verification) {
        this.real = real;
        this.check = check;
        this.verification = verification;
    }

    /** Watches the one job that is submitted through {@code real}. */
    public static ClientProtocol of(ClientProtocol real, JobCheck check, Verification verification) {
        return (ClientProtocol) Proxy.newProxyInstance(
                ClientProtocol.class.getClassLoader(),
                new Class<?>[] {ClientProtocol.class},
                new WatchedProtocol(real, check, verification));
    }

    /** The one that Hadoop made, which it closes by its class. */
    public static ClientProtocol unwatched(ClientProtocol protocol) {
        return Proxy.isProxyClass(protocol.getClass())
                        && Proxy.getInvocationHandler(protocol) instanceof WatchedProtocol watched
                ? watched.real
                : protocol;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("submitJob")) {
            check.submitting((JobID) arguments[0]);
        }
        Object result;
        try {
            result = method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        if (result instanceof JobStatus status && status.isJobComplete()) {
            ended(status);
        }
        return result;
    }

    private synchronized void ended(JobStatus status) throws IOException {
        if (done) {
            return;
        }
        done = true;
        try {
            verification.add(
                    status.getState() == JobStatus.State.SUCCEEDED
                            ? check.compare(status.getJobID())
                            : new Finding(Finding.Verdict.UNKNOWN, status.getJobID() + " has not succeeded"));
        } catch (IOException e) {
            verification.add(
                    new Finding(Finding.Verdict.UNKNOWN, status.getJobID() + " can't be compared: " + e.getMessage()));
        } finally {
            check.close();
        }
    }
}
