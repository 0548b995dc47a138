// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import io.shredder.backup.command.CommandErrors;
import io.shredder.backup.server.trust.BrokenTrustException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What became of care for what is kept, or of one image of it.
 *
 * @param kind what was done
 * @param image of which; empty for care of all
 * @param error why it could not be done; empty if it was
 * @param agentWentBack whether that is since an agent shows less than it had, or other than was committed
 * @param problems what it found to be wrong: damage, a machine that does not start
 * @param notes what was done, a line each, for people
 * @param figures by name, such as {@code verified.bytes}
 */
public record CareOutcome(
        Kind kind,
        Optional<String> image,
        Optional<String> error,
        boolean agentWentBack,
        List<String> problems,
        List<String> notes,
        Map<String, Double> figures) {

    private static final Logger LOG = LoggerFactory.getLogger(CareOutcome.class);

    /** One of which an agent has shown nothing that was wrong. */
    public CareOutcome(
            Kind kind,
            Optional<String> image,
            Optional<String> error,
            List<String> problems,
            List<String> notes,
            Map<String, Double> figures) {
        this(kind, image, error, false, problems, notes, figures);
    }

    /** Of which there is nothing to say. */
    public CareOutcome(
            Kind kind,
            Optional<String> image,
            Optional<String> error,
            List<String> problems,
            Map<String, Double> figures) {
        this(kind, image, error, problems, List.of(), figures);
    }

    /** What could not be done. */
    public static CareOutcome failed(Kind kind, Optional<String> image, IOException why) {
        return new CareOutcome(
                kind,
                image,
                Optional.of(CommandErrors.describe(why)),
                BrokenTrustException.isWhy(why),
                List.of(),
                List.of(),
                Map.of());
    }

    /** What ended by something that should not be: no memory, no thread, or a bug. That is logged, too. */
    public static CareOutcome died(Kind kind, Optional<String> image, Throwable by) {
        LOG.error(
                "care ended unexpectedly, {}{}",
                kind,
                image.map(name -> " of " + name).orElse(""),
                by);
        return failed(kind, image, new IOException("it ended by " + by + ": see the log", by));
    }

    /** What is done. */
    public enum Kind {
        VERIFY,
        COPY,
        BOOT,
        PRUNE
    }

    /** Keeps copies. */
    public CareOutcome {
        problems = List.copyOf(problems);
        notes = List.copyOf(notes);
        figures = Map.copyOf(figures);
    }

    /** Whether it was done and found nothing. */
    public boolean succeeded() {
        return error.isEmpty() && problems.isEmpty();
    }

    /** For {@code --json}: keys stay as they are. */
    public Map<String, Object> json(String care) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("care", care);
        line.put("kind", kind.name().toLowerCase(Locale.ROOT));
        image.ifPresent(name -> line.put("image", name));
        line.put("ok", succeeded());
        error.ifPresent(text -> line.put("error", text));
        line.put("problems", problems);
        line.put("notes", notes);
        line.put("figures", new TreeMap<>(figures));
        return line;
    }
}
