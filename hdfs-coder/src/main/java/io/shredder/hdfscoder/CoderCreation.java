// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfscoder;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * START HERE: the way from Hadoop's factories to the engine. Whatever goes wrong on it, a jar or a library that is not
 * there included, is said once in a JVM and thrown on: Hadoop then takes the next coder that its configuration names.
 * This class needs no class of the engine to be loaded.
 */
final class CoderCreation {

    private static final Logger LOG = LoggerFactory.getLogger(CoderCreation.class);
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    private CoderCreation() {}

    static RawErasureEncoder encoder(String codec, ErasureCoderOptions options) {
        try {
            return EngineCoders.encoder(codec, options);
        } catch (LinkageError | RuntimeException e) {
            tellOnce(codec, e);
            throw e;
        }
    }

    static RawErasureDecoder decoder(String codec, ErasureCoderOptions options) {
        try {
            return EngineCoders.decoder(codec, options);
        } catch (LinkageError | RuntimeException e) {
            tellOnce(codec, e);
            throw e;
        }
    }

    private static void tellOnce(String codec, Throwable reason) {
        if (TOLD.compareAndSet(false, true)) {
            String what = reason instanceof LinkageError ? reason.toString() : reason.getMessage();
            LOG.warn("{} is coded by the next coder that is configured, not by Shredder's: {}", codec, what);
        }
    }
}
