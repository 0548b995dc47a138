// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.remote;

import io.shredder.backup.wire.keep.KeeperAnswer;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Asks for parts of a file before they are wanted, where the parts before follow a rule: each as far behind the one
 * before it as that was, such as the heads of a shard's frames; or every second one, such as heads and cells. What the
 * rule says is asked for as it will be wanted, so nothing is read twice or in vain but at the end. For one thread.
 */
final class ReadAhead {

    private static final int MOST_PARTS = 16;
    private static final int MOST_BYTES = 1 << 20;
    private static final int PERIODS = 2;

    /** Answers a question about a part. */
    interface Source {
        CompletableFuture<KeeperAnswer.Bytes> ask(long position, int length);
    }

    private record Part(long position, int length) {}

    private record Asked(Part part, CompletableFuture<KeeperAnswer.Bytes> answer) {}

    private final Source source;

    /** The last that were read, and those that were asked for ahead; at least twice a period. */
    private final List<Part> parts = new ArrayList<>();

    private final Deque<Asked> ahead = new ArrayDeque<>();

    ReadAhead(Source source) {
        this.source = source;
    }

    /** A part of the file, which may have more by now than when it was asked for. */
    KeeperAnswer.Bytes read(long position, int length) throws IOException {
        Part part = new Part(position, length);
        Asked first = ahead.poll();
        if (first != null && first.part().equals(part)) {
            askAhead();
            Optional<KeeperAnswer.Bytes> whole = wholeOf(first);
            return whole.isPresent() ? whole.get() : KeeperRoute.await(source.ask(position, length));
        }
        if (first != null) {
            forget();
        }
        CompletableFuture<KeeperAnswer.Bytes> answer = source.ask(position, length);
        parts.add(part);
        askAhead();
        return KeeperRoute.await(answer);
    }

    /** An answer that was asked for before it was wanted; empty if another may say more now. */
    private static Optional<KeeperAnswer.Bytes> wholeOf(Asked asked) {
        try {
            KeeperAnswer.Bytes bytes = KeeperRoute.await(asked.answer());
            boolean whole = bytes.bytes().remaining() == asked.part().length();
            return whole ? Optional.of(bytes) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private void forget() {
        ahead.clear();
        parts.clear();
    }

    private void askAhead() {
        int bytes = ahead.stream().mapToInt(asked -> asked.part().length()).sum();
        Optional<Part> next = next();
        while (next.isPresent()
                && ahead.size() < MOST_PARTS
                && bytes + next.get().length() <= MOST_BYTES) {
            Part part = next.get();
            ahead.add(new Asked(part, source.ask(part.position(), part.length())));
            bytes += part.length();
            parts.add(part);
            next = next();
        }
        while (parts.size() > 2 * PERIODS + 1) {
            parts.remove(0);
        }
    }

    /** The part that comes next if the last ones go on as they are. */
    private Optional<Part> next() {
        int count = parts.size();
        for (int period = 1; period <= PERIODS; period++) {
            if (count > 2 * period && goesOn(period)) {
                Part before = parts.get(count - period);
                long step = before.position() - parts.get(count - 2 * period).position();
                long position = before.position() + step;
                if (step > 0 && position > 0) {
                    return Optional.of(new Part(position, before.length()));
                }
            }
        }
        return Optional.empty();
    }

    /** Whether the last parts have all come one period, by the same step, behind one of the same length. */
    private boolean goesOn(int period) {
        int last = parts.size() - 1;
        long step = parts.get(last).position() - parts.get(last - period).position();
        for (int i = last; i > last - period - 1; i--) {
            Part part = parts.get(i);
            Part before = parts.get(i - period);
            if (part.length() != before.length() || part.position() - before.position() != step) {
                return false;
            }
        }
        return true;
    }
}
