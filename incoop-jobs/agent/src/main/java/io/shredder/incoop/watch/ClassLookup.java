// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.watch;

import java.util.Iterator;

/**
 * The JDK's class loader looking for a class in folders of the class path, as it does thousands of times while a task
 * starts. That is not the job's looking: its identity holds the class path.
 */
final class ClassLookup {

    private static final String LOADERS = "jdk.internal.loader.";
    private static final String FINDS_CLASS = "findClassOnClassPathOrNull";

    private ClassLookup() {}

    /** Whether these frames, the innermost first, are of one. */
    static boolean isUnderWay(Iterator<StackWalker.StackFrame> frames) {
        boolean isInLoader = false;
        while (frames.hasNext()) {
            StackWalker.StackFrame frame = frames.next();
            String name = frame.getClassName();
            if (name.startsWith(LOADERS)) {
                isInLoader = true;
                if (frame.getMethodName().equals(FINDS_CLASS)) {
                    return true;
                }
            } else if (isInLoader || !(name.startsWith("java.io.") || JvmWatch.isWatch(frame.getDeclaringClass()))) {
                return false;
            }
        }
        return false;
    }
}
