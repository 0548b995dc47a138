// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * libvirt's own command, for one domain. Unless it is told, it connects where {@code LIBVIRT_DEFAULT_URI} says, or
 * where it does by default. Thread-safe.
 */
final class Virsh {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String program;
    private final Duration patience;
    private final Optional<String> uri;
    private final String domain;

    /** What was asked may still be done, or done later. */
    static final class NoAnswerException extends IOException {
        private static final long serialVersionUID = 1;

        NoAnswerException(String message) {
            super(message);
        }
    }

    Virsh(Optional<String> uri, String domain) {
        this("virsh", PATIENCE, uri, domain);
    }

    /**
     * Another program in its place.
     *
     * @param patience with each command
     */
    Virsh(String program, Duration patience, Optional<String> uri, String domain) {
        this.program = program;
        this.patience = patience;
        this.uri = uri;
        this.domain = domain;
    }

    /**
     * Runs {@code virsh COMMAND DOMAIN ARGUMENTS}; returns what it prints.
     *
     * @throws NoAnswerException if it was waited for in vain
     */
    String run(String command, String... arguments) throws IOException {
        List<String> words = new ArrayList<>(List.of(program, "--quiet"));
        uri.ifPresent(named -> words.addAll(List.of("--connect", named)));
        words.addAll(List.of(command, domain));
        words.addAll(List.of(arguments));
        Process process;
        try {
            process = new ProcessBuilder(words).start();
        } catch (IOException e) {
            throw new IOException("can't run virsh: " + e.getMessage() + ": install libvirt-clients", e);
        }
        process.getOutputStream().close();
        CompletableFuture<String> errors = CompletableFuture.supplyAsync(() -> text(process.getErrorStream()));
        CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> text(process.getInputStream()));
        try {
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new NoAnswerException(failure(command, "no answer in " + patience.toSeconds() + " s"));
            } else if (process.exitValue() != 0) {
                throw new IOException(failure(command, errors.join().strip().replaceAll("\\s*\\n\\s*", " ")));
            }
            return output.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }

    private String failure(String command, String why) {
        return "libvirt:" + domain + ": virsh " + command + ": " + why;
    }

    private static String text(java.io.InputStream in) {
        try (in) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /**
     * Whom the domain's QEMU runs as: libvirt says it where it chooses, else its process shows it.
     *
     * @return a name, or a number
     */
    Optional<String> user() throws IOException {
        Optional<String> owner = new DomainXml(run("dumpxml")).owner();
        if (owner.isPresent()) {
            return owner.map(label -> label.replaceFirst(":.*", "").replaceFirst("^\\+", ""));
        }
        String uuid = run("domuuid").strip();
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::info)
                .filter(info -> info.commandLine()
                        .filter(line -> isQemu(line) && line.contains(uuid))
                        .isPresent())
                .findFirst()
                .flatMap(ProcessHandle.Info::user);
    }

    /** By the command line's first word: which program another user's process runs, only the superuser may see. */
    private static boolean isQemu(String commandLine) {
        return commandLine.replaceFirst(" .*", "").replaceFirst(".*/", "").startsWith("qemu");
    }

    String domain() {
        return domain;
    }
}
