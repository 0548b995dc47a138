// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import io.shredder.backup.region.RegionPlaces;
import io.shredder.backup.region.StoredRegion;
import java.io.Closeable;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;

/**
 * A way to an agent: requests go there, answers come back. Safe for several threads; the agent answers in the order in
 * which it was asked.
 */
public interface AgentRoute extends Closeable {

    /** What the agent said first. */
    Answer.Greeting greeting();

    /** The protocol's version that both sides speak. */
    int version();

    /** Whether it is not lost, as far as is known. */
    default boolean isOpen() {
        return true;
    }

    /**
     * Asks without waiting for the answer; the request's bytes are taken before this returns. Many requests may be
     * under way: whoever asks sees to it that not too much memory is.
     *
     * @return the answer, {@link Answer.Failure} if the agent refuses; fails if the way is lost. It completes on a
     *     thread of the way's own, so what is chained to it must not block
     */
    CompletableFuture<Answer> ask(Request request);

    /**
     * Has somebody told, from now on and from any thread, how many bytes the agent wants to have under way on this way
     * at most, whenever it says so: of requests and of answers, each counted once.
     */
    default void onWindow(IntConsumer told) {}

    /** By which name the agent was asked for, on the network; empty if it is not on one. */
    default Optional<String> address() {
        return Optional.empty();
    }

    /** Where the agent's data lie on this machine; empty if elsewhere, or if they may change under a reader. */
    default Optional<RegionPlaces> places() {
        return Optional.empty();
    }

    /** Gives back all regions of some answers. Nobody looks at them any more: later answers may use their memory. */
    void giveBack(List<StoredRegion> regions);

    /** Bytes of requests so far, with all that the way adds to them. */
    long sentBytes();

    /** Bytes of answers so far, with all that the way adds to them. */
    long receivedBytes();
}
