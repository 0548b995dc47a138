// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.quota;

/** A namespace has no room for what was asked; the message says what it has, and what to do. */
public final class QuotaException extends Exception {

    private static final long serialVersionUID = 1L;

    QuotaException(String text) {
        super(text);
    }
}
