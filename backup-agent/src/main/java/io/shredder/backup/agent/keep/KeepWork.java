// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.keep;

import com.google.common.util.concurrent.MoreExecutors;
import io.shredder.backup.agent.file.DurableFiles;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.Message;
import io.shredder.backup.wire.keep.KeeperRequest;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what a connection asks, in threads of the daemon's, at most {@value #STRANDS} at once. Requests about one file
 * are done in their order. Once the connection has ended, what waits is dropped, and when nothing runs any more, the
 * session ends.
 */
final class KeepWork {

    private static final Logger LOG = LoggerFactory.getLogger(KeepWork.class);
    private static final int STRANDS = 16;

    private final KeepSession session;
    private final List<Executor> strands;
    private final Executor threads;
    private final Runnable afterwards;

    /** Requests that are not done, and 1 for the connection. */
    private final AtomicInteger underWay = new AtomicInteger(1);

    private volatile boolean ended;

    /**
     * @param threads as many as are asked for
     * @param afterwards when nothing is under way any more
     */
    KeepWork(Executor threads, KeepSession session, Runnable afterwards) {
        this.session = session;
        this.threads = threads;
        this.afterwards = afterwards;
        this.strands = Stream.generate(() -> MoreExecutors.newSequentialExecutor(threads))
                .limit(STRANDS)
                .toList();
    }

    boolean holds() {
        return session.holds();
    }

    /** Begins what is asked. The answer comes from another thread, unless the connection ends before. */
    void begin(KeeperRequest request, Consumer<Message> answers) {
        underWay.incrementAndGet();
        strands.get(Math.floorMod(session.strand(request).hashCode(), STRANDS)).execute(() -> {
            try {
                if (!ended) {
                    answers.accept(answer(request));
                }
            } finally {
                done();
            }
        });
    }

    private Message answer(KeeperRequest request) {
        try {
            return session.answer(request);
        } catch (KeepRefusal e) {
            LOG.warn("{} is refused: {}", request.type(), e.getMessage());
            return new Answer.Failure(e.code(), String.valueOf(e.getMessage()));
        } catch (NoSuchFileException e) {
            return new Answer.Failure(ErrorCode.NOT_FOUND, String.valueOf(e.getMessage()));
        } catch (DamagedDataException e) {
            LOG.error("{}: {}", request.type(), e.getMessage());
            return new Answer.Failure(ErrorCode.DAMAGED, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            LOG.error("{}: {}", request.type(), e.toString());
            ErrorCode code = DurableFiles.isFull(e) ? ErrorCode.STORAGE_FULL : ErrorCode.STORAGE_FAILED;
            return new Answer.Failure(code, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            LOG.error("bug while answering {}", request.type(), e);
            return new Answer.Failure(ErrorCode.INTERNAL, "the keeper failed on " + request.type() + ": see its log");
        }
    }

    /** The connection has ended. */
    void end() {
        ended = true;
        done();
    }

    private void done() {
        if (underWay.decrementAndGet() == 0) {
            threads.execute(() -> {
                session.end();
                afterwards.run();
            });
        }
    }
}
