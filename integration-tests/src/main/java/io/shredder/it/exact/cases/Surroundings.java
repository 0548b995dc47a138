// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact.cases;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a run is given besides its input. Values may hold names in braces, which {@link io.shredder.it.exact.Places}
 * fills in: {@code ${hdfs}} and {@code ${local}} are the case's side folders.
 *
 * @param options of the job's configuration
 * @param words the program's arguments behind the options
 * @param hdfsFiles by name in the side folder on HDFS
 * @param localFiles by name in the side folder on the local disk
 * @param classPathFiles by name in a jar on the class path
 * @param systemProperties of the process; {@code user.timezone} and {@code user.language} set the defaults, too
 * @param memo how the memo store fares
 */
public record Surroundings(
        Map<String, String> options,
        List<String> words,
        Map<String, String> hdfsFiles,
        Map<String, String> localFiles,
        Map<String, String> classPathFiles,
        Map<String, String> systemProperties,
        Memo memo) {

    /** What happens to the memo store. */
    public enum Memo {
        /** Nothing. */
        NORMAL,
        /** Its folder has no room for another name. */
        QUOTA_OF_NAMES,
        /** Its folder has no room for another byte. */
        QUOTA_OF_BYTES,
        /** A file lies where it should be. */
        NO_FOLDER,
        /** It is removed again and again while the job runs. */
        REMOVED_MEANWHILE
    }

    private static final Surroundings PLAIN = new Surroundings(
            Map.of(), List.of("${input}", "${output}"), Map.of(), Map.of(), Map.of(), Map.of(), Memo.NORMAL);

    /** Input and output, and nothing else. */
    public static Surroundings plain() {
        return PLAIN;
    }

    /** The same with an option set. */
    public Surroundings option(String key, String value) {
        return new Surroundings(
                with(options, key, value), words, hdfsFiles, localFiles, classPathFiles, systemProperties, memo);
    }

    /** The same with other arguments. */
    public Surroundings arguments(String... others) {
        return new Surroundings(
                options, List.of(others), hdfsFiles, localFiles, classPathFiles, systemProperties, memo);
    }

    /** The same with more arguments behind the others. */
    public Surroundings moreArguments(String... more) {
        List<String> all = new ArrayList<>(words);
        all.addAll(List.of(more));
        return arguments(all.toArray(String[]::new));
    }

    /** The same with a file in the side folder on HDFS. */
    public Surroundings onHdfs(String name, String content) {
        return new Surroundings(
                options, words, with(hdfsFiles, name, content), localFiles, classPathFiles, systemProperties, memo);
    }

    /** The same with a file in the local side folder. */
    public Surroundings onDisk(String name, String content) {
        return new Surroundings(
                options, words, hdfsFiles, with(localFiles, name, content), classPathFiles, systemProperties, memo);
    }

    /** The same with a file in a jar on the class path. */
    public Surroundings onClassPath(String name, String content) {
        return new Surroundings(
                options, words, hdfsFiles, localFiles, with(classPathFiles, name, content), systemProperties, memo);
    }

    /** The same with a system property set. */
    public Surroundings property(String key, String value) {
        return new Surroundings(
                options, words, hdfsFiles, localFiles, classPathFiles, with(systemProperties, key, value), memo);
    }

    /** The same with another lot of the memo store. */
    public Surroundings memo(Memo other) {
        return new Surroundings(options, words, hdfsFiles, localFiles, classPathFiles, systemProperties, other);
    }

    private static Map<String, String> with(Map<String, String> map, String key, String value) {
        Map<String, String> more = new TreeMap<>(map);
        more.put(key, value);
        return Map.copyOf(more);
    }
}
