// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import java.nio.charset.StandardCharsets;

/** Turns the C API's status codes into exceptions; called by the native side, for every failure. */
final class EngineFailure {

    // shredder_status in shredder.h
    private static final int INVALID_ARGUMENT = 1;
    private static final int UNAVAILABLE = 2;
    private static final int OUT_OF_MEMORY = 3;
    private static final int DEVICE_ERROR = 4;
    private static final int DEVICE_LOST = 5;
    private static final int CANCELLED = 6;
    private static final int WRONG_STATE = 7;
    private static final int SOURCE_ERROR = 9;
    private static final int SOURCE_CHANGED = 10;

    private EngineFailure() {}

    /** @param utf8 the error's text */
    static Throwable of(int status, byte[] utf8) {
        return of(status, new String(utf8, StandardCharsets.UTF_8));
    }

    static Throwable of(int status, String text) {
        return switch (status) {
            case INVALID_ARGUMENT -> new InvalidOptionException(text);
            case UNAVAILABLE -> new BackendUnavailableException(text);
            case OUT_OF_MEMORY, DEVICE_ERROR -> new DeviceException(text, true);
            case DEVICE_LOST -> new DeviceException(text, false);
            case CANCELLED -> new StreamCancelledException(text);
            case WRONG_STATE -> new IllegalStateException(text);
            case SOURCE_ERROR -> new ShredderException(text);
            case SOURCE_CHANGED -> new SourceChangedException(text);
            default -> new IllegalStateException("bug in the engine, status " + status + ": " + text);
        };
    }
}
