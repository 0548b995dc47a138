// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapreduce.JobID;

/** What goes wrong under {@link FaultMapper}'s job. */
final class Faults {

    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(150);
    private static final int POLL_MS = 20;

    private Faults() {}

    /** Waits until a map has stopped at a fault. */
    static void await(Path folder, String fault) throws InterruptedException {
        long endNs = System.nanoTime() + PATIENCE_NS;
        while (!Files.exists(folder.resolve(fault + ".reached"))) {
            assertThat(System.nanoTime())
                    .as("no map came to the fault " + fault)
                    .isLessThan(endNs);
            Thread.sleep(POLL_MS);
        }
    }

    /** Lets the map go on. */
    static void done(Path folder, String fault) throws IOException {
        Files.createFile(folder.resolve(fault + ".done"));
    }

    /** Kills the process of a job's MRAppMaster. */
    static void killMaster(JobID job) throws IOException {
        String application = job.toString().replace("job_", "application_");
        long killed;
        try (Stream<ProcessHandle> processes = ProcessHandle.allProcesses()) {
            killed = processes
                    .filter(process -> commandLine(process).contains("v2.app.MRAppMaster"))
                    .filter(process -> commandLine(process).contains(application))
                    .filter(ProcessHandle::destroyForcibly)
                    .count();
        }
        assertThat(killed).as("processes of the master of " + application).isPositive();
    }

    /** The whole line, of which {@link ProcessHandle} knows no more than a page. */
    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    /** Truncates one memo file of a mapper's job, changes a byte of the next one, removes the third. */
    static void damageMemos(FileSystem fs, String mapper) throws IOException {
        List<FileStatus> memos = memos(fs, mapper);
        assertThat(memos).hasSizeGreaterThanOrEqualTo(3);
        byte[] first = read(fs, memos.get(0));
        write(fs, memos.get(0), first, first.length / 2);
        byte[] second = read(fs, memos.get(1));
        second[second.length / 3] ^= 1;
        write(fs, memos.get(1), second, second.length);
        fs.delete(memos.get(2).getPath(), false);
    }

    private static List<FileStatus> memos(FileSystem fs, String mapper) throws IOException {
        for (FileStatus identity : fs.globStatus(new org.apache.hadoop.fs.Path("/user/*/.incoop/*/identity.txt"))) {
            if (new String(read(fs, identity), StandardCharsets.UTF_8).contains(mapper)) {
                return List.of(fs.globStatus(
                        new org.apache.hadoop.fs.Path(identity.getPath().getParent(), "*.memo")));
            }
        }
        return List.of();
    }

    private static byte[] read(FileSystem fs, FileStatus file) throws IOException {
        try (FSDataInputStream in = fs.open(file.getPath())) {
            return in.readAllBytes();
        }
    }

    private static void write(FileSystem fs, FileStatus file, byte[] bytes, int length) throws IOException {
        try (FSDataOutputStream out = fs.create(file.getPath(), true)) {
            out.write(bytes, 0, length);
        }
    }

    /** A job's jar with some classes and those within them. */
    static String jar(Path folder, Class<?>... types) throws IOException {
        return jar(folder, types[0].getSimpleName() + ".jar", types);
    }

    /** The same under a name. */
    static String jar(Path folder, String name, Class<?>... types) throws IOException {
        Path jar = folder.resolve(name);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Class<?> type : types) {
                add(out, type);
                Stream.of(type.getDeclaredClasses()).forEach(inner -> add(out, inner));
            }
        }
        return jar.toUri().toString();
    }

    private static void add(JarOutputStream out, Class<?> type) {
        String name = type.getName().replace('.', '/') + ".class";
        try (InputStream in = type.getResourceAsStream("/" + name)) {
            // The same time in every jar: its bytes are part of the job's identity.
            JarEntry entry = new JarEntry(name);
            entry.setTime(0);
            out.putNextEntry(entry);
            in.transferTo(out);
            out.closeEntry();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
