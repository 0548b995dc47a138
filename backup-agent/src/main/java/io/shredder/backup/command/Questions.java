// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.command;

import java.io.Console;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Asks whoever sits at the terminal; where there is none, options must say all. */
public final class Questions {

    private final @Nullable Console console;

    private Questions(@Nullable Console console) {
        this.console = console;
    }

    /** Of this process. */
    @SuppressWarnings("SystemConsoleNull") // On Java 17 there is no console without a terminal.
    public static Questions atTerminal() {
        return new Questions(System.console());
    }

    /**
     * An answer that is needed.
     *
     * @param option says the same, where nobody can be asked
     * @param usual is meant by an empty answer; empty if there is none
     */
    public String ask(String option, String question, String usual) throws IOException {
        if (console == null) {
            throw new IOException(option + " is missing, and there is no terminal to ask at: give it");
        }
        String answer = "";
        while (answer.isEmpty()) {
            String typed = console.readLine("%s%s? ", question, usual.isEmpty() ? "" : " [" + usual + "]");
            if (typed == null) {
                throw new IOException("no answer: nothing was made");
            }
            answer = typed.isBlank() ? usual : typed.strip();
        }
        return answer;
    }

    /** An answer, or what is usual where nobody can be asked. */
    public String orUsual(String question, String usual) throws IOException {
        return console == null ? usual : ask("", question, usual);
    }
}
