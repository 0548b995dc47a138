// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A program that takes requests ({@code native/measure/coding_requests.h}). It ends when its input does. */
public final class CoderProgram implements Coders {
    private static final String ERROR = "error: ";

    private final Path program;
    private final Process process;
    private final BufferedWriter requests;
    private final BufferedReader answers;
    private final List<String> names;

    public CoderProgram(Path program) throws IOException {
        this.program = program;
        this.process = new ProcessBuilder(program.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        this.requests = process.outputWriter();
        this.answers = process.inputReader();
        this.names = List.of(answer("names").split(" "));
    }

    @Override
    public List<String> names() {
        return names;
    }

    @Override
    public String digest(String name, DigestCase asked) throws IOException, RefusedException {
        return accepted(answer(asked.request(name)));
    }

    @Override
    public double rate(String name, RateCase asked) throws IOException, RefusedException {
        return Double.parseDouble(accepted(answer(asked.request(name))));
    }

    private String answer(String request) throws IOException {
        requests.write(request);
        requests.newLine();
        requests.flush();
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException(program + " ended at the request: " + request);
        }
        return answer;
    }

    private static String accepted(String answer) throws RefusedException {
        if (answer.startsWith(ERROR)) {
            throw new RefusedException(answer.substring(ERROR.length()));
        }
        return answer;
    }

    @Override
    public void close() {
        process.destroy();
    }
}
