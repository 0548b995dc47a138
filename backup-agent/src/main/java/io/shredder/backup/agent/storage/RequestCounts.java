// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.storage;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What was asked of a storage that is paid by the request, since it was opened.
 *
 * @param requests how many of each kind were sent, by the object store's names such as {@code PutObject}; attempts that
 *     were repeated count each
 * @param refused how many of them were answered by an error
 * @param bytesSent in requests' bodies
 * @param bytesReceived in answers' bodies
 */
public record RequestCounts(Map<String, Long> requests, Map<String, Long> refused, long bytesSent, long bytesReceived) {

    /** Takes copies. */
    public RequestCounts {
        requests = Map.copyOf(requests);
        refused = Map.copyOf(refused);
    }

    /** Counts; safe for any number of threads. */
    public static final class Counting {

        private final Map<String, LongAdder> requests = new ConcurrentHashMap<>();
        private final Map<String, LongAdder> refused = new ConcurrentHashMap<>();
        private final LongAdder bytesSent = new LongAdder();
        private final LongAdder bytesReceived = new LongAdder();

        /** A request of this kind is sent with a body of so many bytes. */
        public void sent(String kind, long bytes) {
            requests.computeIfAbsent(kind, name -> new LongAdder()).increment();
            bytesSent.add(bytes);
        }

        /** A request of this kind was answered by an error. */
        public void refused(String kind) {
            refused.computeIfAbsent(kind, name -> new LongAdder()).increment();
        }

        /** An answer has a body of so many bytes. */
        public void received(long bytes) {
            bytesReceived.add(bytes);
        }

        /** What was counted so far. */
        public RequestCounts now() {
            return new RequestCounts(sums(requests), sums(refused), bytesSent.sum(), bytesReceived.sum());
        }

        private static Map<String, Long> sums(Map<String, LongAdder> counted) {
            Map<String, Long> sums = new TreeMap<>();
            counted.forEach((kind, count) -> sums.put(kind, count.sum()));
            return sums;
        }
    }
}
