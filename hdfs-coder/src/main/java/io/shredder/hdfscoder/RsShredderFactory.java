// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfscoder;

import org.apache.hadoop.io.erasurecode.ErasureCodeConstants;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;

/** Makes the coders {@value #NAME}. Loading and constructing it needs no class of the engine. */
public final class RsShredderFactory implements RawErasureCoderFactory {

    static final String NAME = "rs_shredder";

    @Override
    public RawErasureEncoder createEncoder(ErasureCoderOptions options) {
        return CoderCreation.encoder(getCodecName(), options);
    }

    @Override
    public RawErasureDecoder createDecoder(ErasureCoderOptions options) {
        return CoderCreation.decoder(getCodecName(), options);
    }

    @Override
    public String getCoderName() {
        return NAME;
    }

    @Override
    public String getCodecName() {
        return ErasureCodeConstants.RS_CODEC_NAME;
    }
}
