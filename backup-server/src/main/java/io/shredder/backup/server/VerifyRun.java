// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.protocol.Answer;
import io.shredder.backup.protocol.VerifyScope;
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
record VerifyRun(long chunks, long bytes, Set<String> problems) {

    /** Everything that the agent keeps, instead of a snapshot's id. */
    static final long EVERYTHING = 0;

    /** Asks for the part that begins at a cursor. */
    private interface Next {
        Answer.Verified part(long cursor) throws IOException;
    }

    static VerifyRun of(AgentClient client, long snapshotId) throws IOException {
        return of(cursor -> client.verify(snapshotId, cursor));
    }

    /** Of everything, what is in the scope. */
    static VerifyRun of(AgentClient client, VerifyScope scope) throws IOException {
        return of(cursor -> client.verify(scope, cursor));
    }

    private static VerifyRun of(Next next) throws IOException {
        AtomicLong bytes = new AtomicLong();
        return ProgressLine.during("verified", 0, bytes::get, () -> run(next, bytes));
    }

    private static VerifyRun run(Next next, AtomicLong bytes) throws IOException {
        Set<String> problems = new LinkedHashSet<>();
        long chunks = 0;
        long cursor = 0;
        do {
            Answer.Verified part = next.part(cursor);
            chunks += part.chunks();
            bytes.addAndGet(part.bytes());
            problems.addAll(part.problems());
            cursor = part.nextCursor();
        } while (cursor != 0);
        return new VerifyRun(chunks, bytes.get(), problems);
    }

    Map<String, Object> json() {
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
