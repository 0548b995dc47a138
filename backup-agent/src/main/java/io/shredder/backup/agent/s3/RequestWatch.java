// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.s3;

import io.shredder.backup.agent.storage.RequestCounts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * Around each attempt of a request: counts it, has the {@link Fence} look before it is sent if it changes anything, and
 * notes what time the object store says it is. The fence looks when the request is signed already: so what is sent when
 * a machine stood still after that look is as old as it is. Safe for any number of threads.
 */
final class RequestWatch implements ExecutionInterceptor {

    /** Whether a request changes what only the store's holder may change; false of one that shows who that is. */
    static final ExecutionAttribute<Boolean> CHANGES = new ExecutionAttribute<>("ShredderChanges");

    /** Is asked before each attempt to change anything, the repeated ones too. */
    interface Fence {
        /**
         * Looks whether the store is still this agent's.
         *
         * @throws IOException if it may be another's by now
         */
        void check() throws IOException;
    }

    /**
     * What the object store's clock said.
     *
     * @param atNs when, by this machine's clock that nobody sets
     */
    private record Told(Instant time, long atNs) {}

    private final RequestCounts.Counting counts = new RequestCounts.Counting();
    private final AtomicReference<@Nullable Told> told = new AtomicReference<>();
    private volatile Fence fence = () -> {};

    /** From now on this one is asked. */
    void setFence(Fence asked) {
        fence = asked;
    }

    @Override
    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
        if (Boolean.TRUE.equals(attributes.getAttribute(CHANGES))) {
            try {
                check();
            } catch (IOException e) {
                throw new UncheckedIOException(e); // Which S3Errors takes out again.
            }
        }
        counts.sent(kind(attributes), length(context.httpRequest()));
    }

    /** Has the fence look now. */
    void check() throws IOException {
        fence.check();
    }

    @Override
    public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
        String kind = kind(attributes);
        SdkHttpResponse answer = context.httpResponse();
        if (!kind.startsWith("Head")) {
            counts.received(answer.firstMatchingHeader("Content-Length")
                    .map(RequestWatch::number)
                    .orElse(0L));
        }
        if (!answer.isSuccessful()) {
            counts.refused(kind);
        }
        answer.firstMatchingHeader("Date").flatMap(RequestWatch::instant).ifPresent(this::note);
    }

    private void note(Instant time) {
        told.set(new Told(time, System.nanoTime()));
    }

    /** The latest time that the object store told, if it told any. */
    Optional<Instant> time() {
        return Optional.ofNullable(told.get()).map(Told::time);
    }

    /**
     * What time it is by the object store's clock: a second or two ago at most, and never later than now. By this
     * machine's clock until the object store has told.
     */
    Instant now() {
        return Optional.ofNullable(told.get())
                .map(last -> last.time().plusNanos(System.nanoTime() - last.atNs()))
                .orElseGet(Instant::now);
    }

    /** What was asked so far. */
    RequestCounts counts() {
        return counts.now();
    }

    private static String kind(ExecutionAttributes attributes) {
        String name = attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME);
        String kind = name == null ? "other" : name;
        return Boolean.FALSE.equals(attributes.getAttribute(CHANGES)) ? kind + "-owner" : kind;
    }

    private static long length(SdkHttpRequest request) {
        return request.firstMatchingHeader("Content-Length")
                .map(RequestWatch::number)
                .orElse(0L);
    }

    private static long number(String text) {
        try {
            return Long.parseLong(text.trim());
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static Optional<Instant> instant(String text) {
        try {
            return Optional.of(ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
