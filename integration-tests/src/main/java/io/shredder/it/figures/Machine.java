// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.figures;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/** Where and when something was measured. */
public final class Machine {
    private Machine() {}

    /** Processor, memory and GPUs in one line. */
    public static String description() throws IOException {
        List<String> gpus = gpus();
        String processor = Checkout.machine();
        return gpus.isEmpty() ? processor : processor + "; " + gpus.size() + " x " + gpus.get(0);
    }

    /** A line each with name, memory and driver; none where there is no driver. */
    public static List<String> gpus() {
        return answer("nvidia-smi", "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader")
                .lines()
                .toList();
    }

    /** Today, in Greenwich. */
    public static LocalDate today() {
        return LocalDate.now(ZoneOffset.UTC);
    }

    /** The commit that is checked out; "unknown" outside of a checkout. */
    public static String commit(Path root) {
        try {
            return Checkout.commit(root);
        } catch (IOException e) {
            return "unknown"; // no git here
        }
    }

    /** What a program prints; nothing if it isn't there or fails. */
    private static String answer(String... words) {
        try {
            Process process = new ProcessBuilder(words)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? text.strip() : "";
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }
}
