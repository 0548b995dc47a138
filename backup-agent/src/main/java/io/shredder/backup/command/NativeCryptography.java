// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.command;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has AES-GCM and digests done by AWS-LC. The platform's own are as fast once compiled, but a command of a few seconds
 * would spend as long compiling them as using them.
 */
public final class NativeCryptography {

    private static final Logger LOG = LoggerFactory.getLogger(NativeCryptography.class);

    private NativeCryptography() {}

    /** For the start of a program: makes AWS-LC the first provider where it runs, or leaves the platform's. */
    public static void install() {
        Throwable reason = AmazonCorrettoCryptoProvider.INSTANCE.getLoadingError();
        if (reason == null) {
            AmazonCorrettoCryptoProvider.install();
        } else {
            LOG.info("AES and SHA-256 by the Java platform: AWS-LC can't be used here ({})", reason.getMessage());
        }
    }
}
