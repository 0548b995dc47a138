// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.client;

import io.shredder.backup.wire.AgentRoute;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.Request;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** One way to an agent, and how much is under way on it. Safe for several threads. */
final class Lane implements Closeable {

    private final AgentRoute route;
    private final FlowWindow window;
    private final AtomicLong underWay = new AtomicLong();

    /**
     * Closes the route when it is closed.
     *
     * @param startBytes how much may be under way until it is known how long the way is
     */
    Lane(AgentRoute route, int startBytes) {
        this.route = route;
        this.window = new FlowWindow(startBytes);
        route.onWindow(window::allow);
    }

    AgentRoute route() {
        return route;
    }

    /** Asks once there is room for so many bytes under way. */
    CompletableFuture<Answer> ask(Request request, int permits) {
        underWay.addAndGet(permits);
        try {
            window.acquire(permits);
        } catch (InterruptedException e) {
            underWay.addAndGet(-permits);
            Thread.currentThread().interrupt();
            return CompletableFuture.failedFuture(new IOException("interrupted while waiting for the agent", e));
        }
        long askedNs = System.nanoTime();
        return route.ask(request).whenComplete((done, error) -> {
            underWay.addAndGet(-permits);
            window.answered(System.nanoTime() - askedNs);
            window.release(permits);
        });
    }

    /** Bytes that are under way, and those that wait for room. */
    long underWay() {
        return underWay.get();
    }

    int windowBytes() {
        return window.bytes();
    }

    @Override
    public void close() throws IOException {
        route.close();
    }
}
