// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Some of the machine's cores, to which {@code taskset} holds a program and all that it starts. Java and the programs
 * of others count those alone as the machine's.
 *
 * @param cores their numbers
 */
public record ProcessorSet(List<Integer> cores) {
    private static final String ALLOWED = "Cpus_allowed_list:";

    public ProcessorSet {
        cores = List.copyOf(cores);
    }

    /** All that this program may run on. */
    public static ProcessorSet all() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith(ALLOWED)) {
                return parse(line.substring(ALLOWED.length()).strip());
            }
        }
        throw new IOException("the kernel doesn't tell which cores this program may use");
    }

    /** Reads a list as the kernel writes it, such as {@code 0-3,8}. */
    static ProcessorSet parse(String list) {
        var cores = new ArrayList<Integer>();
        for (String range : list.split(",", -1)) {
            String[] ends = range.split("-", -1);
            for (int core = Integer.parseInt(ends[0]); core <= Integer.parseInt(ends[ends.length - 1]); core++) {
                cores.add(core);
            }
        }
        return new ProcessorSet(cores);
    }

    /**
     * The first of these.
     *
     * @throws IllegalArgumentException if there are fewer
     */
    public ProcessorSet first(int count) {
        if (count < 1 || count > cores.size()) {
            throw new IllegalArgumentException(count + " cores of " + cores.size());
        }
        return new ProcessorSet(cores.subList(0, count));
    }

    /** The second half of these, rounded up: all of one. */
    public ProcessorSet secondHalf() {
        return new ProcessorSet(cores.subList(cores.size() / 2, cores.size()));
    }

    public int count() {
        return cores.size();
    }

    /** What stands before the words of a program that is held to these. */
    public List<String> prefix() {
        return List.of("taskset", "-c", list());
    }

    /** Has a program that runs, with all its threads, stay on these from now on. */
    public void hold(long pid) throws IOException, InterruptedException {
        Process taskset = new ProcessBuilder("taskset", "-a", "-p", "-c", list(), Long.toString(pid))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        // Of a process that is not there, taskset says nothing.
        if (taskset.waitFor() != 0 || ProcessHandle.of(pid).isEmpty()) {
            throw new IOException("taskset can't hold process " + pid + " to cores " + list());
        }
    }

    private String list() {
        return cores.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
