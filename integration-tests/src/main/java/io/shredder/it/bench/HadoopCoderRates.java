// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.it.figures.Medians;
import io.shredder.it.process.Command;
import io.shredder.it.programs.NativePrograms;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;

/**
 * What coders do through Hadoop's API, as HDFS calls them: one stripe of cells of 1 MiB, whose buffers are used again,
 * on one thread, by its CPU time. A program of its own, started with the library of the build that is measured; prints
 * a row for each coder, call and kind of buffer. Rates are of data, parity not counted.
 */
public final class HadoopCoderRates {
    private static final int CELL_BYTES = 1 << 20;
    private static final int ROUNDS = 7;
    private static final long ROUND_NS = 150_000_000;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private HadoopCoderRates() {}

    /** A policy of HDFS, and the coders that are compared on it. */
    public enum Policy {
        RS("rs", 6, 3),
        RS_LEGACY("rs-legacy", 6, 3),
        XOR("xor", 2, 1);

        private final String codec;
        private final int data;
        private final int parity;

        Policy(String codec, int data, int parity) {
            this.codec = codec;
            this.data = data;
            this.parity = parity;
        }

        /** Shredder's row of a kind of buffer. */
        public String ours(Call call, Memory memory) {
            return name(codec + "_shredder", call, memory);
        }

        /** The row of Hadoop's own coder. */
        public String javas(Call call, Memory memory) {
            return name(codec + "_java", call, memory);
        }

        private static String name(String coder, Call call, Memory memory) {
            return coder + " " + call.word + " " + memory.word;
        }
    }

    /** What is called. */
    public enum Call {
        ENCODE("encode"),
        /** One lost data cell. */
        DECODE("decode");

        private final String word;

        Call(String word) {
            this.word = word;
        }
    }

    /** Where the buffers lie. */
    public enum Memory {
        DIRECT("direct"),
        HEAP("heap");

        private final String word;

        Memory(String word) {
            this.word = word;
        }

        ByteBuffer cell() {
            return this == DIRECT ? ByteBuffer.allocateDirect(CELL_BYTES) : ByteBuffer.allocate(CELL_BYTES);
        }
    }

    /** Runs it in a fresh JVM with a build's library. */
    public static NativePrograms.Output run(NativePrograms programs, String log)
            throws IOException, InterruptedException {
        List<String> command = Command.java(
                List.of("-Xmx1g", "-Dshredder.library.path=" + programs.build().resolve("libshredder.so")),
                System.getProperty("java.class.path"),
                HadoopCoderRates.class.getName(),
                List.of());
        return programs.run(log, Map.of(), command);
    }

    /** Takes no arguments. */
    public static void main(String[] args) throws IOException {
        for (Policy policy : Policy.values()) {
            for (Call call : Call.values()) {
                for (Memory memory : Memory.values()) {
                    Contender ours = contender(policy, policy.ours(call, memory), call, memory);
                    Contender javas = contender(policy, policy.javas(call, memory), call, memory);
                    inTurn(List.of(ours, javas));
                }
            }
        }
    }

    private static Contender contender(Policy policy, String row, Call call, Memory memory) throws IOException {
        Configuration conf = new Configuration(false);
        conf.set(CodecUtil.IO_ERASURECODE_CODEC + policy.codec + ".rawcoders", row.substring(0, row.indexOf(' ')));
        var options = new ErasureCoderOptions(policy.data, policy.parity);
        ByteBuffer[] cells = new ByteBuffer[policy.data + policy.parity];
        Arrays.setAll(cells, i -> random(memory.cell(), i));
        ByteBuffer[] data = Arrays.copyOf(cells, policy.data);
        ByteBuffer[] parity = Arrays.copyOfRange(cells, policy.data, cells.length);
        RawErasureEncoder encoder = CodecUtil.createRawEncoder(conf, policy.codec, options);
        long bytes = (long) policy.data * CELL_BYTES;
        if (call == Call.ENCODE) {
            return new Contender(row, bytes, List.of(data), () -> encoder.encode(data, parity));
        }
        RawErasureDecoder decoder = CodecUtil.createRawDecoder(conf, policy.codec, options);
        ByteBuffer[] lost = {cells[0]};
        ByteBuffer[] there = cells.clone();
        Arrays.fill(there, policy.data + 1, there.length, null); // not read: one parity cell is enough
        there[0] = null;
        return new Contender(
                row,
                bytes,
                Arrays.asList(cells).subList(1, policy.data + 1),
                () -> decoder.decode(there, new int[] {0}, lost));
    }

    private static ByteBuffer random(ByteBuffer buffer, int seed) {
        var bytes = new byte[buffer.capacity()];
        new SplittableRandom(seed).nextBytes(bytes);
        return buffer.put(bytes).flip();
    }

    /** One call on a stripe. */
    @FunctionalInterface
    private interface StripeCall {
        void code() throws IOException;
    }

    /** A coder with its buffers, and what its rounds took. */
    private record Contender(
            String row, long stripeBytes, List<ByteBuffer> inputs, StripeCall call, List<Double> roundSeconds) {

        Contender(String row, long stripeBytes, List<ByteBuffer> inputs, StripeCall call) {
            this(row, stripeBytes, inputs, call, new ArrayList<>());
        }

        /** CPU time of so many stripes. */
        long nanoseconds(int stripes) throws IOException {
            long begin = THREADS.getCurrentThreadCpuTime();
            for (int i = 0; i < stripes; i++) {
                inputs.forEach(ByteBuffer::rewind);
                call.code();
            }
            return THREADS.getCurrentThreadCpuTime() - begin;
        }

        /** Compiles what is to be compiled, and returns how many stripes make a round. */
        int warmUp() throws IOException {
            long left = 4 * ROUND_NS;
            long stripeNs = ROUND_NS;
            while (left > 0) {
                stripeNs = Math.max(1, nanoseconds(1));
                left -= stripeNs;
            }
            return (int) Math.max(1, ROUND_NS / stripeNs);
        }

        void print(int stripes) throws IOException {
            var row = new LinkedHashMap<String, Object>();
            row.put("name", this.row);
            row.put("bytes", stripes * stripeBytes);
            row.put("gbPerSecond", stripes * stripeBytes / Medians.of(roundSeconds) / 1e9);
            row.put("roundSeconds", roundSeconds);
            System.out.println(new ObjectMapper().writeValueAsString(row));
        }
    }

    /** A round of each in turn, so that what the machine does besides falls on all. */
    private static void inTurn(List<Contender> contenders) throws IOException {
        int[] stripes = new int[contenders.size()];
        for (int i = 0; i < stripes.length; i++) {
            stripes[i] = contenders.get(i).warmUp();
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < stripes.length; i++) {
                Contender contender = contenders.get(i);
                contender.roundSeconds().add(contender.nanoseconds(stripes[i]) / 1e9);
            }
        }
        for (int i = 0; i < stripes.length; i++) {
            contenders.get(i).print(stripes[i]);
        }
    }
}
