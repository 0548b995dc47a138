// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.config;

import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.lib.input.DelegatingInputFormat;
import org.apache.hadoop.mapreduce.lib.input.MultipleInputs;

/** Input formats and mappers of a job that has one for each of its paths: Hadoop's MultipleInputs, of either API. */
public final class SeveralInputs {

    private static final Set<String> DELEGATES = Set.of(
            DelegatingInputFormat.class.getName(), org.apache.hadoop.mapred.lib.DelegatingInputFormat.class.getName());

    private SeveralInputs() {}

    /** Whether an input format is the one that leaves all to those of the paths. */
    public static boolean isDelegate(String inputFormat) {
        return DELEGATES.contains(inputFormat);
    }

    /** The names of the paths' mappers; none if the job has one mapper for all. */
    public static SortedSet<String> mappers(Configuration conf) {
        return classes(conf.get(MultipleInputs.DIR_MAPPERS, ""));
    }

    /** The names of the paths' input formats. */
    public static SortedSet<String> formats(Configuration conf) {
        return classes(conf.get(MultipleInputs.DIR_FORMATS, ""));
    }

    /** Of {@code PATH;CLASS,PATH;CLASS}, as Hadoop takes it apart. */
    private static SortedSet<String> classes(String pairs) {
        SortedSet<String> classes = new TreeSet<>();
        for (String pair : pairs.split(",", -1)) {
            String[] parts = pair.split(";", -1);
            if (parts.length > 1) {
                classes.add(parts[1]);
            }
        }
        return classes;
    }
}
