// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import java.util.List;
import java.util.stream.Stream;

/** What {@code bin/launch.sh} starts Java with, for processes that are measured where there is no {@code bin}. */
final class LaunchOptions {

    private static final List<String> COMMON = List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Xshare:auto",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "-Dio.netty.tryReflectionSetAccessible=true",
            "-Dio.netty.allocator.numDirectArenas=1",
            "-Dio.netty.allocator.maxOrder=12",
            "-Dio.netty.leakDetection.level=disabled");

    /** Of a command. */
    static final List<String> COMMAND = command(Runtime.getRuntime().availableProcessors());

    /** Of the agent and the server. */
    static final List<String> SERVICE = joined(
            List.of("-Xms64m", "-Xmx368m", "-XX:MaxNewSize=32m", "-XX:MinHeapFreeRatio=5", "-XX:MaxHeapFreeRatio=15"));

    private LaunchOptions() {}

    /** Of a command that may use so many cores. */
    static List<String> command(int cores) {
        int most = Math.min(cores, 32);
        return joined(List.of(
                "-Xms" + (64 + 32 * most) + "m", "-Xmx" + (128 + 32 * most) + "m", "-Xmn" + (8 + 16 * most) + "m"));
    }

    private static List<String> joined(List<String> heap) {
        return Stream.concat(heap.stream(), COMMON.stream()).toList();
    }
}
