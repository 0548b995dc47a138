// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.setup;

import java.io.IOException;
import java.security.cert.X509Certificate;

/** A certificate was signed, and nobody knows whether the machine that asked for it has it. */
public final class UndeliveredException extends IOException {

    private static final long serialVersionUID = 1L;

    private final transient X509Certificate certificate;

    UndeliveredException(String from, X509Certificate certificate, IOException cause) {
        super(
                "the token was shown from " + from + ", and its certificate (serial number "
                        + certificate.getSerialNumber() + ") is signed, but the answer did not get there: "
                        + cause.getMessage(),
                cause);
        this.certificate = certificate;
    }

    /** To be revoked. */
    public X509Certificate certificate() {
        return certificate;
    }
}
