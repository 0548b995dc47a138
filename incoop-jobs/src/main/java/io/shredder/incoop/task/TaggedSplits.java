// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task;

import io.shredder.incoop.input.InputTag;
import io.shredder.incoop.input.OwnSplit;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/**
 * The splits of MultipleInputs, of either API: parts of files with the input format and the mapper that they belong to.
 * Hadoop keeps their class to itself.
 */
public final class TaggedSplits {

    private static final String NEW_API = "org.apache.hadoop.mapreduce.lib.input.TaggedInputSplit";
    private static final String OLD_API = "org.apache.hadoop.mapred.lib.TaggedInputSplit";

    private TaggedSplits() {}

    /**
     * What a split is to the planner.
     *
     * @param split of a job's own input format, of either API
     */
    public static OwnSplit of(Object split) {
        String kind = split.getClass().getName();
        if (!kind.equals(NEW_API) && !kind.equals(OLD_API)) {
            return new OwnSplit(split, InputTag.NONE, part(split));
        }
        try {
            InputTag tag = new InputTag(
                    ((Class<?>) ask(split, "getInputFormatClass")).getName(),
                    ((Class<?>) ask(split, "getMapperClass")).getName());
            return new OwnSplit(split, tag, part(ask(split, "getInputSplit")));
        } catch (ReflectiveOperationException e) {
            throw unknown(e);
        }
    }

    private static Object ask(Object split, String question) throws ReflectiveOperationException {
        Method method = split.getClass().getMethod(question);
        method.setAccessible(true);
        return method.invoke(split);
    }

    private static Optional<FileSplit> part(Object split) {
        if (split.getClass() == FileSplit.class) {
            return Optional.of((FileSplit) split);
        }
        if (split.getClass() != org.apache.hadoop.mapred.FileSplit.class) {
            return Optional.empty();
        }
        org.apache.hadoop.mapred.FileSplit part = (org.apache.hadoop.mapred.FileSplit) split;
        try {
            return Optional.of(new FileSplit(part.getPath(), part.getStart(), part.getLength(), part.getLocations()));
        } catch (java.io.IOException e) {
            return Optional.of(new FileSplit(part.getPath(), part.getStart(), part.getLength(), new String[0]));
        }
    }

    /** The split of a chunk, of the new API, as its mapper sees it. */
    public static org.apache.hadoop.mapreduce.InputSplit tagged(FileSplit split, InputTag tag, Configuration conf)
            throws ClassNotFoundException {
        return tag.isNone()
                ? split
                : (org.apache.hadoop.mapreduce.InputSplit)
                        tagged(NEW_API, org.apache.hadoop.mapreduce.InputSplit.class, split, tag, conf);
    }

    /** The split of a chunk, of the old API, as its mapper sees it. */
    public static org.apache.hadoop.mapred.InputSplit tagged(
            org.apache.hadoop.mapred.FileSplit split, InputTag tag, Configuration conf) throws ClassNotFoundException {
        return tag.isNone()
                ? split
                : (org.apache.hadoop.mapred.InputSplit)
                        tagged(OLD_API, org.apache.hadoop.mapred.InputSplit.class, split, tag, conf);
    }

    private static Object tagged(String kind, Class<?> ofSplit, Object split, InputTag tag, Configuration conf)
            throws ClassNotFoundException {
        Class<?> format = conf.getClassByName(tag.inputFormat());
        Class<?> mapper = conf.getClassByName(tag.mapper());
        try {
            Constructor<?> constructor =
                    Class.forName(kind).getConstructor(ofSplit, Configuration.class, Class.class, Class.class);
            constructor.setAccessible(true);
            return constructor.newInstance(split, conf, format, mapper);
        } catch (ReflectiveOperationException e) {
            throw unknown(e);
        }
    }

    private static IllegalStateException unknown(ReflectiveOperationException cause) {
        return new IllegalStateException("this Hadoop's MultipleInputs is not the known one: " + cause, cause);
    }
}
