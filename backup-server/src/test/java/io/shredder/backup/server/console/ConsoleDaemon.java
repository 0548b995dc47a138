// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import io.shredder.backup.care.CareLedger;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.schedule.JobControl;
import io.shredder.backup.schedule.JobStatus;
import io.shredder.backup.server.alert.Alert;
import io.shredder.backup.server.care.CareSite;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.server.config.ServerConfigReader;
import io.shredder.backup.server.history.DaemonHistory;
import io.shredder.backup.server.recovery.Recovery;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A console over a real configuration and a real history, without jobs that run; the test says how those stand. */
public final class ConsoleDaemon implements Closeable {

    /** In place of doubts: they can't be known. */
    public static final String UNKNOWN = "unknown";

    private final ServerConfig config;
    private final DaemonHistory history;
    private final CareLedger ledger;
    private volatile Instant now = Instant.parse("2026-03-02T12:00:00Z");
    private final SaidJobs jobs = new SaidJobs();
    private final Map<String, Instant> pauses = new ConcurrentHashMap<>();
    private volatile List<JobStatus> statuses = List.of();
    private List<Alert> alerts = List.of();
    private volatile List<String> doubts = List.of();
    private final Recovery recovery;

    /** @param more of the configuration's text: {@code console}, {@code jobs}, {@code care} */
    public ConsoleDaemon(Path folder, String more) throws IOException {
        this(
                folder,
                "agent: {address: 'agent.example:7420', certificate: c, key: k, authority: a}\n"
                        + "repository-key: {file: key}\n",
                more);
    }

    /** @param agent the configuration's text on the agent and the key */
    public ConsoleDaemon(Path folder, String agent, String more) throws IOException {
        Path file = folder.resolve("server.yaml");
        Files.writeString(file, "version: 1\nstate: state\n" + agent + more);
        config = ServerConfigReader.read(file);
        history = DaemonHistory.open(config.state(), clock());
        ledger = CareLedger.open(config.state());
        recovery = Recovery.start(this::care, history);
    }

    private CareSite care() {
        return new CareSite(config, ledger, clock(), Pace.unlimited(), (job, image) -> doubtsOrFail());
    }

    private Clock clock() {
        InstantSource source = () -> now;
        return source.withZone(ZoneOffset.UTC);
    }

    public void at(Instant time) {
        now = time;
    }

    public void jobs(JobStatus... next) {
        statuses = List.of(next);
    }

    public void alerts(Alert... next) {
        alerts = List.of(next);
    }

    private List<String> doubtsOrFail() throws IOException {
        if (doubts.contains(UNKNOWN)) {
            throw new IOException("alerts.json is damaged");
        }
        return doubts;
    }

    /** Why no image is to be pruned. */
    public void doubts(String... next) {
        doubts = List.of(next);
    }

    public DaemonHistory history() {
        return history;
    }

    public ServerConfig config() {
        return config;
    }

    public ConsoleSources sources() {
        return new ConsoleSources(this::care, jobs, history, () -> alerts, recovery, "site1", now);
    }

    /** Has a job be paused. */
    public void paused(String job, Instant until) {
        pauses.put(job, until);
    }

    /** What was wished of jobs, a line each, in this order. */
    public List<String> wishes() {
        return jobs.wishes;
    }

    /** Jobs as the test says; it notes what is wished of them. */
    private final class SaidJobs implements JobControl {

        private final List<String> wishes = new CopyOnWriteArrayList<>();

        @Override
        public List<JobStatus> status() {
            return statuses;
        }

        private Said note(String wish) {
            wishes.add(wish);
            return Said.DONE;
        }

        @Override
        public Said start(String job) {
            return statuses.stream().anyMatch(each -> each.name().equals(job) && each.running())
                    ? Said.RUNS
                    : note("start " + job);
        }

        @Override
        public Said stop(String job) {
            return note("stop " + job);
        }

        @Override
        public Said pause(String job, Instant until) {
            return note("pause " + job + " " + until);
        }

        @Override
        public Optional<Instant> pausedUntil(String job) {
            return Optional.ofNullable(pauses.get(job));
        }

        @Override
        public Said resume(String job) {
            return note("resume " + job);
        }
    }

    /** Listens where the configuration says. */
    public ConsoleServer serve() throws IOException {
        return ConsoleServer.start(config.console(), sources());
    }

    @Override
    public void close() throws IOException {
        recovery.close();
        history.close();
    }
}
