// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.monitoring;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.shredder.backup.keepers.KeeperState;
import io.shredder.backup.keepers.KeepersState;
import java.io.Closeable;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** Figures of a daemon and of its process, for Prometheus. Thread-safe. */
public final class Figures implements Closeable {

    private final String prefix;
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final Map<Figure, AtomicLong> gauges = new ConcurrentHashMap<>();

    /** A figure that is set. */
    private record Figure(String name, Tags tags) {}

    /** @param prefix of each name, such as {@code shredder.agent.} */
    public Figures(String prefix) {
        this.prefix = prefix;
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        collections.bindTo(registry);
    }

    /** In Prometheus' text format. */
    public String text() {
        return registry.scrape();
    }

    /** Sets a figure, which is there from now on. */
    public void set(String name, Tags tags, long value) {
        gauges.computeIfAbsent(new Figure(name, tags), unused -> {
                    AtomicLong holder = new AtomicLong();
                    Gauge.builder(prefix + name, holder, AtomicLong::get)
                            .tags(tags)
                            .register(registry);
                    return holder;
                })
                .set(value);
    }

    /** Adds to a figure that only grows. */
    public void count(String name, Tags tags, long value) {
        registry.counter(prefix + name, tags).increment((double) value);
    }

    /** Notes how long something took. */
    public void time(String name, String meaning, Tags tags, Duration took) {
        Timer.builder(prefix + name)
                .description(meaning)
                .tags(tags)
                .register(registry)
                .record(took);
    }

    /** Sets how the keepers of an agent's store stand. */
    public void keepers(KeepersState state) {
        set("store.epoch", Tags.empty(), state.epoch());
        set("store.writable", Tags.empty(), state.writable() ? 1 : 0);
        set("store.readable", Tags.empty(), state.readable() ? 1 : 0);
        set("store.spare.to.write", Tags.empty(), state.spareToWrite());
        set("store.spare.to.read", Tags.empty(), state.spareToRead());
        set("store.undecided.files", Tags.empty(), state.undecided());
        for (int place = 0; place < state.keepers().size(); place++) {
            KeeperState keeper = state.keepers().get(place);
            Tags tags = Tags.of("keeper", String.valueOf(place));
            for (KeeperState.Condition each : KeeperState.Condition.values()) {
                set("keeper.state", tags.and("state", each.word()), each == keeper.condition() ? 1 : 0);
            }
            set("keeper.lacking.files", tags, keeper.lacking());
            set("keeper.damaged.places", tags, keeper.damaged());
            set("keeper.filled.bytes", tags, keeper.filledBytes());
            set("keeper.to.fill.bytes", tags, keeper.toFillBytes());
        }
    }

    /** Figures of which a tag has such a value go. */
    public void drop(String tag, Predicate<String> gone) {
        registry.getMeters().stream()
                .filter(meter -> {
                    String value = meter.getId().getTag(tag);
                    return value != null && gone.test(value);
                })
                .forEach(registry::remove);
        gauges.keySet().removeIf(figure -> figure.tags().stream()
                .anyMatch(each -> each.getKey().equals(tag) && gone.test(each.getValue())));
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
