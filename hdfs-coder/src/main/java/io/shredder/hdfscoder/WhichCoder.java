// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfscoder;

import java.io.PrintStream;
import java.util.List;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * {@code hadoop io.shredder.hdfscoder.WhichCoder}: prints which coder Hadoop takes for each codec in a JVM with this
 * class path and this configuration. Exit code 1 if the configuration names one of Shredder's that isn't taken.
 */
public final class WhichCoder extends Configured implements Tool {

    private static final ErasureCoderOptions SIX_AND_THREE = new ErasureCoderOptions(6, 3);
    private static final ErasureCoderOptions TWO_AND_ONE = new ErasureCoderOptions(2, 1);

    /** A codec, and the units of a policy that HDFS has for it. */
    private record Codec(RawErasureCoderFactory factory, ErasureCoderOptions options) {

        String name() {
            return factory.getCodecName();
        }
    }

    private static final List<Codec> CODECS = List.of(
            new Codec(new RsShredderFactory(), SIX_AND_THREE),
            new Codec(new RsLegacyShredderFactory(), SIX_AND_THREE),
            new Codec(new XorShredderFactory(), TWO_AND_ONE));

    private final PrintStream out;

    WhichCoder(PrintStream out) {
        this.out = out;
    }

    /** Takes Hadoop's generic options, such as {@code -D KEY=VALUE}, and no others. */
    public static void main(String[] args) throws Exception {
        System.exit(ToolRunner.run(new WhichCoder(System.out), args));
    }

    @Override
    public int run(String[] args) {
        if (args.length != 0) {
            System.err.println("WhichCoder: takes no arguments but -D KEY=VALUE, not " + args[0]);
            return 2;
        }
        getConf().addResource("hdfs-site.xml"); // HDFS reads the coders' names from there, too
        boolean asConfigured = true;
        for (Codec codec : CODECS) {
            RawErasureEncoder taken = CodecUtil.createRawEncoder(getConf(), codec.name(), codec.options());
            boolean ours = taken.getClass().getPackageName().equals(WhichCoder.class.getPackageName());
            out.println(codec.name() + ": " + (ours ? taken : taken.getClass().getSimpleName()));
            taken.release();
            asConfigured &= ours || !isNamed(codec);
        }
        return asConfigured ? 0 : 1;
    }

    private boolean isNamed(Codec codec) {
        String key = CodecUtil.IO_ERASURECODE_CODEC + codec.name() + ".rawcoders";
        return getConf()
                .getTrimmedStringCollection(key)
                .contains(codec.factory().getCoderName());
    }
}
