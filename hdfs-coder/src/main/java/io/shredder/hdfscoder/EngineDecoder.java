// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfscoder;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.io.erasurecode.ECChunk;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawDecoder;

/**
 * A decoder for Hadoop, of whichever codec, computed by the engine; any number of threads may use one at once. Nobody
 * outside of Hadoop's package can extend its abstract decoder, so this extends one whose computing it replaces.
 */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // The engine's coder needs no lock.
final class EngineDecoder extends RSRawDecoder {

    private final CoderCalls calls;

    EngineDecoder(ErasureCoderOptions options, CoderCalls calls) {
        super(options);
        this.calls = calls;
    }

    @Override
    public void decode(ByteBuffer[] inputs, int[] erasedIndexes, ByteBuffer[] outputs) throws IOException {
        calls.decode(inputs, erasedIndexes, outputs);
    }

    @Override
    public void decode(byte[][] inputs, int[] erasedIndexes, byte[][] outputs) throws IOException {
        calls.decode(inputs, erasedIndexes, outputs);
    }

    @Override
    public void decode(ECChunk[] inputs, int[] erasedIndexes, ECChunk[] outputs) throws IOException {
        calls.decode(inputs, erasedIndexes, outputs);
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
