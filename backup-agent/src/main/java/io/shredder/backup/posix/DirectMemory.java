// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.posix;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;

/** Gives memory outside of Java's heap back at once: Java 17 by itself does so only when its collector comes by. */
public final class DirectMemory {

    private static final MethodHandle FREE = handle();

    private DirectMemory() {}

    private static MethodHandle handle() {
        try {
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            Field one = unsafe.getDeclaredField("theUnsafe");
            one.setAccessible(true);
            return MethodHandles.lookup()
                    .findVirtual(unsafe, "invokeCleaner", MethodType.methodType(void.class, ByteBuffer.class))
                    .bindTo(one.get(null));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("every Java 17 can do this", e);
        }
    }

    /**
     * Frees it. Nobody may use it, or a part of it, any more: to do so would end the process.
     *
     * @param bytes direct, as {@link ByteBuffer#allocateDirect} or a mapping gave it
     */
    public static void free(ByteBuffer bytes) {
        try {
            FREE.invoke(bytes);
        } catch (Throwable e) {
            throw new IllegalStateException("can't free " + bytes.capacity() + " bytes", e);
        }
    }
}
