// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

/** A device failed. Reported once to each stream that it served. */
public final class DeviceException extends ShredderException {

    private static final long serialVersionUID = 1L;

    private final boolean retryable;

    DeviceException(String message, boolean retryable) {
        super(message);
        this.retryable = retryable;
    }

    /** Whether a new stream may succeed; if not, the device is lost to this process. */
    public boolean retryable() {
        return retryable;
    }
}
