// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.transfer;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.AgentException;
import io.shredder.backup.server.text.FewLines;
import io.shredder.backup.server.text.ProgressLine;
import io.shredder.backup.server.text.SnapshotText;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.VerifyScope;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One verification by the agent, driven to its end.
 *
 * @param chunks how many were read and digested again
 * @param bytes their plain length
 * @param problems a line for each damaged or missing thing
 */
public record VerifyRun(long chunks, long bytes, Set<String> problems) {

    /** Everything that the agent keeps, instead of a snapshot's id. */
    public static final long EVERYTHING = 0;

    /** After so many answers without anything new an agent is given up. */
    static final int MOST_STILL = 100_000;

    /** Asks for the part that begins at a cursor. */
    private interface Next {
        Answer.Verified part(long cursor) throws IOException;
    }

    /** How far a verification has come. One thread adds, others ask. */
    static final class Progress {
        private final long expectedChunks;
        private final AtomicLong chunks = new AtomicLong();
        private final AtomicLong bytes = new AtomicLong();

        /**
         * Of about so many chunks.
         *
         * @param expectedChunks 0 if unknown
         */
        Progress(long expectedChunks) {
            this.expectedChunks = expectedChunks;
        }

        void add(Answer.Verified part) {
            bytes.addAndGet(part.bytes());
            chunks.addAndGet(part.chunks());
        }

        long doneBytes() {
            return bytes.get();
        }

        /** If the chunks that are left are as long as those so far; 0 if unknown. */
        long estimatedBytes() {
            long done = chunks.get();
            double share = done == 0 ? 0 : (double) Math.max(done, expectedChunks) / done;
            return expectedChunks == 0 ? 0 : Math.round(bytes.get() * share);
        }
    }

    /** A snapshot, or {@link #EVERYTHING}. */
    public static VerifyRun of(AgentClient client, long snapshotId) throws IOException {
        boolean all = snapshotId == EVERYTHING;
        return of(
                cursor -> client.verify(snapshotId, cursor), all ? expectedChunks(client, VerifyScope.EVERYTHING) : 0);
    }

    /** Of everything, what is in the scope. */
    public static VerifyRun of(AgentClient client, VerifyScope scope) throws IOException {
        return of(cursor -> client.verify(scope, cursor), expectedChunks(client, scope));
    }

    /** Asked for only if somebody looks on. How much is new nobody knows. */
    private static long expectedChunks(AgentClient client, VerifyScope scope) throws IOException {
        if (!ProgressLine.isTerminal() || scope.since().isAfter(VerifyScope.EVERYTHING.since())) {
            return 0;
        }
        return Math.round((double) client.statistics().chunks() * scope.millionths() / VerifyScope.ALL);
    }

    private static VerifyRun of(Next next, long expectedChunks) throws IOException {
        Progress progress = new Progress(expectedChunks);
        return ProgressLine.during(
                "verified", progress::estimatedBytes, progress::doneBytes, () -> run(next, progress));
    }

    private static VerifyRun run(Next next, Progress progress) throws IOException {
        FewLines problems = new FewLines();
        long cursor = 0;
        int still = 0;
        do {
            Answer.Verified part = next.part(cursor);
            progress.add(part);
            part.problems().forEach(problems::add);
            still = part.nextCursor() == cursor && part.chunks() == 0 ? still + 1 : 0;
            check(cursor, part.nextCursor(), still);
            cursor = part.nextCursor();
        } while (cursor != 0);
        return new VerifyRun(progress.chunks.get(), progress.doneBytes(), new LinkedHashSet<>(problems.lines()));
    }

    private static void check(long cursor, long nextCursor, int still) throws AgentException {
        if (nextCursor != 0 && nextCursor < cursor) {
            throw new AgentException(
                    ErrorCode.PROTOCOL, "the agent's verification goes back from " + cursor + " to " + nextCursor);
        } else if (still == MOST_STILL) {
            throw new AgentException(
                    ErrorCode.PROTOCOL,
                    "the agent's verification stands still at " + cursor + ": " + still + " answers read nothing");
        }
    }

    /** For {@code --json}: keys stay as they are. */
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("chunks", chunks);
        json.put("bytes", bytes);
        json.put("problems", problems);
        return json;
    }

    @Override
    public String toString() {
        return "verified " + chunks + " chunks, " + SnapshotText.size(bytes) + ": "
                + (problems.isEmpty() ? "all good" : problems.size() + " damaged");
    }
}
