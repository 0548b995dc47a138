// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import java.util.List;
import java.util.stream.Stream;

/** What {@code bin/launch.sh} starts Java with, for processes that are measured where there is no {@code bin}. */
public final class LaunchOptions {

    private static final int MOST_CORES = 32;

    /** From so many cores on a service has several threads that collect, and both have several pools of memory. */
    private static final int MANY_CORES = 4;

    private static final String ONE_COLLECTS = "-XX:+UseSerialGC";
    private static final String SEVERAL_COLLECT = "-XX:+UseParallelGC";

    private static final List<String> COMMON = List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Xshare:auto",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "-Dio.netty.tryReflectionSetAccessible=true",
            "-Dio.netty.allocator.numDirectArenas=1",
            "-Dio.netty.allocator.maxOrder=12",
            "-Dio.netty.leakDetection.level=disabled");

    /** Of a command. */
    public static final List<String> COMMAND = command(Runtime.getRuntime().availableProcessors());

    /** Of the agent and the server. */
    static final List<String> SERVICE = service(Runtime.getRuntime().availableProcessors());

    private LaunchOptions() {}

    /** Of a command that may use so many cores. */
    static List<String> command(int cores) {
        int most = Math.min(cores, MOST_CORES);
        return joined(Stream.of(
                List.of(
                        "-Xms" + (64 + 32 * most) + "m",
                        "-Xmx" + (128 + 32 * most) + "m",
                        "-Xmn" + (8 + 16 * most) + "m"),
                List.of(ONE_COLLECTS),
                COMMON,
                pools(most)));
    }

    /** Of an agent or a server that may use so many cores. */
    static List<String> service(int cores) {
        int most = Math.min(cores, MOST_CORES);
        int more = Math.max(0, most - 2);
        return joined(Stream.of(
                List.of(
                        "-Xms" + (64 + 24 * more) + "m",
                        "-Xmx" + (368 + 32 * more) + "m",
                        "-XX:MaxNewSize=" + (32 + 8 * more) + "m"),
                List.of("-XX:MinHeapFreeRatio=5", "-XX:MaxHeapFreeRatio=15"),
                List.of(most < MANY_CORES ? ONE_COLLECTS : SEVERAL_COLLECT),
                COMMON,
                pools(most)));
    }

    private static List<String> pools(int cores) {
        return cores < MANY_CORES ? List.of() : List.of("-Dio.netty.allocator.numDirectArenas=" + cores / MANY_CORES);
    }

    private static List<String> joined(Stream<List<String>> parts) {
        return parts.flatMap(List::stream).toList();
    }
}
