// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfscoder;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSLegacyRawEncoder;

/** Hadoop's encoder of {@code rs-legacy}, computed by the engine. */
final class RsLegacyEncoder extends RSLegacyRawEncoder {

    private final CoderCalls calls;

    RsLegacyEncoder(ErasureCoderOptions options, CoderCalls calls) {
        super(options);
        this.calls = calls;
    }

    @Override
    public void encode(ByteBuffer[] inputs, ByteBuffer[] outputs) throws IOException {
        calls.encode(inputs, outputs);
    }

    @Override
    public void encode(byte[][] inputs, byte[][] outputs) throws IOException {
        calls.encode(inputs, outputs);
    }

    @Override
    public boolean preferDirectBuffer() {
        return true;
    }

    @Override
    public void release() {
        calls.release();
    }

    @Override
    public String toString() {
        return calls.toString();
    }
}
