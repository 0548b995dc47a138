// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.verify;

import io.shredder.backup.wire.Answer;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;

/** What one part of a verification has shown so far. One thread. */
public final class VerifiedPart {

    private static final int MAX_PROBLEMS = 1000;

    private final List<String> problems = new ArrayList<>();
    private int found;
    private long chunks;
    private long bytes;

    /** Something is damaged, missing or can't be read; what is beyond the most that fits into an answer goes unsaid. */
    public void problem(String line) {
        found++;
        if (problems.size() < MAX_PROBLEMS) {
            problems.add(line);
        }
    }

    /** Damage, or a file that can't be opened; any other error is the storage's. */
    public void problem(IOException error) throws IOException {
        if (error instanceof DamagedDataException) {
            problem(String.valueOf(error.getMessage()));
        } else if (error instanceof FileSystemException file) {
            problem(file.getFile() + ": can't be opened: " + file);
        } else {
            throw error;
        }
    }

    boolean hasProblems() {
        return found > 0;
    }

    /** How many there are, those that go unsaid among them. */
    public int found() {
        return found;
    }

    /** A chunk is read. */
    void count(long plainBytes) {
        chunks++;
        bytes += plainBytes;
    }

    /** What another part has shown, behind this one. */
    public void add(VerifiedPart next) {
        add(next, next.problems);
    }

    /** The same, with other lines in place of its problems. */
    public void add(VerifiedPart next, List<String> told) {
        told.stream().limit(MAX_PROBLEMS - problems.size()).forEach(problems::add);
        found += next.found;
        chunks += next.chunks;
        bytes += next.bytes;
    }

    /** Those that are said. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    public Answer.Verified answer(long nextCursor) {
        return new Answer.Verified(nextCursor, chunks, bytes, problems);
    }
}
