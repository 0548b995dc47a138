// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.cli;

import io.shredder.engine.InvalidOptionException;
import io.shredder.engine.ShredderException;
import io.shredder.engine.ShredderOptions.Devices;
import io.shredder.engine.worker.Worker;
import io.shredder.engine.worker.WorkerOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code shredder worker}: serves until SIGTERM or Ctrl-C. */
@Command(
        name = "worker",
        description = {
            "Lends this machine's devices to engines of other processes of the same user, which name it",
            "among their devices: --backend cpu,worker:SOCKET. Serves until Ctrl-C or SIGTERM; clients that",
            "are connected then go on without it, and lose nothing."
        },
        mixinStandardHelpOptions = true)
final class WorkerCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--socket",
            required = true,
            paramLabel = "PATH",
            description = "The Unix socket to listen at, up to 107 bytes; only its owner may connect.")
    private Path socket;

    @Option(
            names = {"-backend", "--backend"},
            paramLabel = "NAME",
            defaultValue = "cpu",
            description = "What to lend, as 'shredder chunk' takes it (default: ${DEFAULT-VALUE}).")
    private String backend = "cpu";

    @Option(names = "--threads", paramLabel = "N", description = "Threads on the CPU (default: all cores).")
    private int threads;

    @Option(
            names = "--clients",
            paramLabel = "N",
            defaultValue = "16",
            description = "At most so many at once (default: ${DEFAULT-VALUE}).")
    private int clients;

    @Option(
            names = "--buffer",
            paramLabel = "SIZE",
            converter = SizeOption.Converter.class,
            defaultValue = "64m",
            description = "The largest buffer, of which a client has up to 16 here (default: ${DEFAULT-VALUE}).")
    private @Nullable SizeOption buffer;

    @Override
    public Integer call() throws ShredderException, InterruptedException {
        if (threads < 0 || clients < 1) {
            throw new InvalidOptionException(
                    "--threads " + threads + " and --clients " + clients + ": use numbers from 1 on");
        }
        long bufferBytes = buffer == null ? 0 : buffer.bytes();
        PrintWriter out = spec.commandLine().getOut();
        Worker worker = Worker.open(new WorkerOptions(socket, Devices.parse(backend), threads, clients, bufferBytes));
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(worker, out, ended), "worker-end"));
        out.println("serving " + worker.devices() + " at " + socket);
        out.flush();
        ended.await();
        return 0;
    }

    private static void end(Worker worker, PrintWriter out, CountDownLatch ended) {
        try {
            Worker.Figures figures = worker.figures();
            worker.close();
            out.println("served " + figures.clientsServed() + " clients, " + SizeOption.format(figures.bytesScanned()));
        } catch (ShredderException e) {
            out.println("worker: " + e.getMessage());
        }
        out.flush();
        ended.countDown();
    }
}
