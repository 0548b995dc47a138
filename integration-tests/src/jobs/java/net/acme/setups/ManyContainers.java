// SPDX-License-Identifier: Apache-2.0
package net.acme.setups;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.ListIterator;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;

/** Attacks: fields of all kinds, changed by maps and summed up in cleanup; an iterator that stays where it is. */
public final class ManyContainers extends AcmeJob {
    /** The mapper. */
    public static final class Map extends LineMapper {
        private final java.util.Map<String, Integer> linked = new LinkedHashMap<>();
        private final java.util.Map<String, Integer> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        private final java.util.Map<String, AtomicLong> concurrent = new ConcurrentHashMap<>();
        private final java.util.Map<TimeUnit, int[]> byUnit = new EnumMap<>(TimeUnit.class);
        private final java.util.Map<Color, Integer> byColor = new HashMap<>();
        private final java.util.Map<Text, Integer> byText = new HashMap<>();
        private final List<String> last = new LinkedList<>();
        private final ArrayDeque<String> queue = new ArrayDeque<>();
        private final BitSet bits = new BitSet();
        private final StringBuilder text = new StringBuilder("text");
        private final int[][] square = new int[3][4];
        private final java.util.Set<String> fixed = java.util.Set.of("w1", "w2", "w3", "w4");
        private final List<String> names = new ArrayList<>(Arrays.asList("one", "two", "three"));
        private final List<String> view = Collections.unmodifiableList(names);
        private final BytesWritable bytes = new BytesWritable(new byte[] {1, 2, 3});
        private ListIterator<String> place;
        private Map self;

        private enum Color {
            RED,
            BLUE
        }

        @Override
        protected void setup(Context context) {
            names.add("four");
            place = names.listIterator();
            self = this;
            byColor.put(Color.RED, 1);
            byColor.put(Color.BLUE, 2);
            byUnit.put(TimeUnit.DAYS, new int[2]);
            sorted.put("A", 1);
            concurrent.put("all", new AtomicLong());
            byText.put(new Text("w1"), 10);
            last.add("none");
        }

        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            String word = first(line);
            String name = place.next();
            place.previous();
            linked.merge(word, 1, Integer::sum);
            sorted.merge("a", 1, Integer::sum);
            concurrent.get("all").incrementAndGet();
            byUnit.get(TimeUnit.DAYS)[1]++;
            last.set(0, word);
            queue.push(word);
            bits.set(line.length());
            text.append('.');
            square[1][2]++;
            bytes.set(line.getBytes(java.nio.charset.StandardCharsets.UTF_8), 0, Math.min(2, line.length()));
            int weight =
                    byText.getOrDefault(new Text(word), 0) + byColor.get(Color.RED) + (fixed.contains(word) ? 5 : 0);
            emit(context, word + name + view.size() + (self == this) + last.get(0), weight);
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            for (java.util.Map.Entry<String, Integer> count : linked.entrySet()) {
                emit(context, "linked " + count.getKey(), count.getValue());
            }
            emit(context, "sorted", sorted.get("A") - 1);
            emit(context, "concurrent", concurrent.get("all").intValue());
            emit(context, "units", byUnit.get(TimeUnit.DAYS)[1]);
            emit(context, "queue", queue.size());
            emit(context, "text", text.length() - 4);
            emit(context, "square", square[1][2]);
            emit(context, String.format(Locale.ROOT, "bits %b", bits.get(1_000_000)), 0);
        }
    }

    @Override
    protected void define(Job job, List<String> more) {
        job.setMapperClass(Map.class);
    }
}
