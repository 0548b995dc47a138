// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfscoder;

import io.shredder.engine.NativeLibrary;
import io.shredder.engine.ShredderException;
import io.shredder.engine.coding.ErasureCode;
import io.shredder.engine.coding.ErasureCode.Kind;
import io.shredder.engine.coding.ErasureCoder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.io.erasurecode.ErasureCodeConstants;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine's coders, one for each code that this JVM uses, and kept: HDFS makes a decoder for each file that is
 * opened, and many a program never closes its files. Thread-safe.
 */
final class EngineCoders {

    private static final Logger LOG = LoggerFactory.getLogger(EngineCoders.class);
    private static final Map<ErasureCode, ErasureCoder> OPEN = new ConcurrentHashMap<>();

    private EngineCoders() {}

    /** @throws RuntimeException if the engine has no such code, or can't compute here */
    static RawErasureEncoder encoder(String codec, ErasureCoderOptions options) {
        return new EngineEncoder(options, calls(kind(codec), options));
    }

    /** @throws RuntimeException if the engine has no such code, or can't compute here */
    static RawErasureDecoder decoder(String codec, ErasureCoderOptions options) {
        return new EngineDecoder(options, calls(kind(codec), options));
    }

    private static Kind kind(String codec) {
        return switch (codec) {
            case ErasureCodeConstants.RS_CODEC_NAME -> Kind.RS;
            case ErasureCodeConstants.RS_LEGACY_CODEC_NAME -> Kind.RS_LEGACY;
            case ErasureCodeConstants.XOR_CODEC_NAME -> Kind.XOR;
            default -> throw new IllegalArgumentException("bug: no coder of codec " + codec);
        };
    }

    private static String name(Kind kind) {
        return switch (kind) {
            case RS -> RsShredderFactory.NAME;
            case RS_LEGACY -> RsLegacyShredderFactory.NAME;
            case XOR -> XorShredderFactory.NAME;
        };
    }

    private static CoderCalls calls(Kind kind, ErasureCoderOptions options) {
        var code = new ErasureCode(kind, options.getNumDataUnits(), options.getNumParityUnits());
        return new CoderCalls(name(kind), OPEN.computeIfAbsent(code, EngineCoders::open));
    }

    /** Of the native library alone: where it can't be loaded, Hadoop's own coders are the better ones. */
    private static ErasureCoder open(ErasureCode code) {
        try {
            NativeLibrary.require();
            ErasureCoder coder = ErasureCoder.create(code);
            LOG.info("{} computes {}+{} ({})", name(code.kind()), code.data(), code.parity(), coder.form());
            return coder;
        } catch (ShredderException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }
}
