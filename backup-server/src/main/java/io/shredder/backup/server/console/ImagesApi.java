// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.console.Query;
import io.shredder.backup.console.Rows;
import io.shredder.backup.schedule.JobStatus;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.console.Standing.State;
import io.shredder.backup.server.history.ImageDay;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code /images} and {@code /images/NAME}: how images stand, and their days. */
final class ImagesApi {

    /** Of one answer, so that it stays below the longest. */
    static final int MOST_DAYS = 1900;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int USUAL_ROWS = 100;
    private static final String BY_ATTENTION = "attention";

    private static final Map<String, Comparator<Standing>> ORDERS = Map.of(
            BY_ATTENTION,
            Comparator.comparing(Standing::state).thenComparing(Standing::image),
            "name",
            Comparator.comparing(Standing::image),
            "age",
            Comparator.comparing(Standing::lastSuccess).thenComparing(Standing::image),
            "size",
            Comparator.comparingLong(Standing::imageBytes).reversed().thenComparing(Standing::image));

    private final ConsoleSources sources;

    ImagesApi(ConsoleSources sources) {
        this.sources = sources;
    }

    private Stream<Standing> all() {
        ServerConfig config = sources.config();
        Map<String, JobStatus> jobs =
                sources.jobs().status().stream().collect(Collectors.toMap(JobStatus::name, Function.identity()));
        Instant now = sources.now();
        return config.jobs().stream()
                .flatMap(job -> Standing.of(job, Optional.ofNullable(jobs.get(job.name())), now, sources.history()));
    }

    ObjectNode list(Query query) {
        String order = query.word("sort", List.of(BY_ATTENTION, "name", "age", "size"));
        String state = query.word("state", List.of("any", "failed", "never", "late", "ok"));
        String searched = query.searched();
        List<Standing> matching = all().filter(each -> matches(each, searched)).toList();
        List<Standing> rows = matching.stream()
                .filter(each -> state.equals("any") || each.state().word().equals(state))
                .sorted(ORDERS.getOrDefault(order, Comparator.comparing(Standing::image)))
                .toList();
        ObjectNode page = Rows.page("images", rows, query, USUAL_ROWS, Standing::json);
        Map<State, Integer> counts = new EnumMap<>(State.class);
        matching.forEach(each -> counts.merge(each.state(), 1, Integer::sum));
        ObjectNode byState = page.putObject("states");
        for (State each : State.values()) {
            byState.put(each.word(), counts.getOrDefault(each, 0));
        }
        return page;
    }

    private static boolean matches(Standing image, String searched) {
        return image.image().toLowerCase(Locale.ROOT).contains(searched)
                || image.job().toLowerCase(Locale.ROOT).contains(searched);
    }

    /** Whether the configuration or the history has it. */
    boolean has(String name) {
        return sources.history().newest(name).isPresent() || standing(name).isPresent();
    }

    private Optional<Standing> standing(String name) {
        return all().filter(each -> each.image().equals(name)).findFirst();
    }

    /** One image; empty if neither the configuration nor the history has it. */
    Optional<ObjectNode> one(String name, Query query) throws IOException {
        Optional<Standing> standing = standing(name);
        Optional<ImageDay> newest = sources.history().newest(name);
        if (standing.isEmpty() && newest.isEmpty()) {
            return Optional.empty();
        }
        LocalDate today = LocalDate.ofInstant(sources.now(), ZoneOffset.UTC);
        LocalDate to = query.day("to", today);
        LocalDate from = query.day("from", to.minusYears(5).plusDays(1));
        if (from.isAfter(to) || ChronoUnit.DAYS.between(from, to) >= MOST_DAYS) {
            throw new IllegalArgumentException(
                    "from " + from + " to " + to + " is no time of 1 to " + MOST_DAYS + " days: give another");
        }
        ObjectNode answer = JSON.createObjectNode().put("name", name);
        standing.ifPresent(each -> answer.set("image", each.json()));
        sources.history().lastFailure(name).ifPresent(line -> answer.putObject("lastFailure")
                .put("at", line.path("at").asText())
                .put("error", line.path("error").asText("it does not say why")));
        answer.set("days", days(from, to, sources.history().days(name, from, to)));
        return Optional.of(answer);
    }

    /** A column for each figure, which is far shorter than a row for each day. */
    private static ObjectNode days(LocalDate from, LocalDate to, List<ImageDay> days) {
        ObjectNode all = JSON.createObjectNode().put("from", from.toString()).put("to", to.toString());
        column(all, "day", days, each -> ChronoUnit.DAYS.between(from, each.day()));
        column(all, "succeeded", days, each -> (long) each.succeeded());
        column(all, "failed", days, each -> (long) each.failed());
        column(all, "imageBytes", days, ImageDay::imageBytes);
        column(all, "newBytes", days, ImageDay::newBytes);
        column(all, "storedBytes", days, ImageDay::storedEver);
        return all;
    }

    private static void column(ObjectNode all, String name, List<ImageDay> days, Function<ImageDay, Long> figure) {
        ArrayNode column = all.putArray(name);
        days.forEach(day -> column.add(figure.apply(day)));
    }
}
