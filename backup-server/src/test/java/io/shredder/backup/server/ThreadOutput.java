// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Each thread's own standard output and error: so operators' commands may run side by side in one process. */
public final class ThreadOutput extends OutputStream {

    private static final ThreadLocal<ByteArrayOutputStream> OF_THREAD =
            ThreadLocal.withInitial(ByteArrayOutputStream::new);

    private final PrintStream out = System.out;
    private final PrintStream err = System.err;

    private ThreadOutput() {}

    /** Takes over both streams until it is closed. */
    public static ThreadOutput install() {
        ThreadOutput output = new ThreadOutput();
        PrintStream routed = new PrintStream(output, true, StandardCharsets.UTF_8);
        System.setOut(routed);
        System.setErr(routed);
        return output;
    }

    /** Standard output as it was. */
    public PrintStream real() {
        return out;
    }

    /** What this thread has printed since it asked last. */
    public static String take() {
        ByteArrayOutputStream printed = OF_THREAD.get();
        String text = printed.toString(StandardCharsets.UTF_8);
        printed.reset();
        return text;
    }

    @Override
    public void write(int value) {
        OF_THREAD.get().write(value);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
        OF_THREAD.get().write(bytes, from, length);
    }

    /** Gives both streams back. */
    @Override
    public void close() {
        System.setOut(out);
        System.setErr(err);
    }
}
