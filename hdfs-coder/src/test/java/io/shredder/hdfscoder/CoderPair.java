// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfscoder;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;

/** One codec of Hadoop's, by Shredder's coder and by Hadoop's in Java, both as Hadoop itself makes them. */
enum CoderPair {
    RS("rs"),
    RS_LEGACY("rs-legacy"),
    XOR("xor");

    private final String codec;

    CoderPair(String codec) {
        this.codec = codec;
    }

    String codec() {
        return codec;
    }

    RawErasureEncoder ourEncoder(int data, int parity) {
        return CodecUtil.createRawEncoder(ours(), codec, new ErasureCoderOptions(data, parity));
    }

    RawErasureDecoder ourDecoder(int data, int parity) {
        return CodecUtil.createRawDecoder(ours(), codec, new ErasureCoderOptions(data, parity));
    }

    RawErasureEncoder javaEncoder(int data, int parity) {
        return CodecUtil.createRawEncoder(java(), codec, new ErasureCoderOptions(data, parity));
    }

    RawErasureDecoder javaDecoder(int data, int parity) {
        return CodecUtil.createRawDecoder(java(), codec, new ErasureCoderOptions(data, parity));
    }

    private Configuration ours() {
        return coders(codec + "_shredder");
    }

    private Configuration java() {
        return coders(codec + "_java");
    }

    /** No other coder after the named one, so that none hides that it fails. */
    private Configuration coders(String name) {
        var conf = new Configuration(false);
        conf.set(CodecUtil.IO_ERASURECODE_CODEC + codec + ".rawcoders", name);
        return conf;
    }
}
