// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.upload;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.shell.CommandFormat;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;

/** The values of {@link UploadSetting}s: from the command line or, where it does not say, from the configuration. */
final class UploadSettings {

    static {
        Configuration.addDefaultResource("inc-hdfs-default.xml");
        Configuration.addDefaultResource("inc-hdfs-site.xml");
    }

    private final CommandFormat format;
    private final Configuration conf;

    UploadSettings(CommandFormat format, Configuration conf) {
        this.format = format;
        this.conf = conf;
    }

    /** As it was given; empty only if the configuration has an empty value. */
    String text(UploadSetting setting) {
        String value = format.getOptValue(setting.option());
        if (value == null) { // not on the command line; empty would be: there without a value
            return conf.getTrimmed(setting.key(), "");
        }
        if (value.isEmpty()) {
            throw new IllegalArgumentException("-" + setting.option() + " needs a value: see -help copyFromLocalGPU");
        }
        return value;
    }

    /** A size of at least one byte. */
    long bytes(UploadSetting setting) {
        String value = text(setting);
        try {
            long bytes = TraditionalBinaryPrefix.string2long(value);
            if (bytes > 0) {
                return bytes;
            }
        } catch (IllegalArgumentException e) {
            // the same refusal, below
        }
        throw new IllegalArgumentException(
                whereFrom(setting) + " " + value + " is not a size: use bytes, or a number with k, m or g such as 8m");
    }

    /**
     * A size of at least one byte that belongs to an average.
     *
     * @param derivedBytes what it is where nobody says; also where the command line gives the average alone, since what
     *     the configuration has belongs to the configuration's average
     */
    long bytesBeside(UploadSetting average, UploadSetting setting, long derivedBytes) {
        boolean averageAlone = isOnCommandLine(average) && !isOnCommandLine(setting);
        return averageAlone || text(setting).isEmpty() ? derivedBytes : bytes(setting);
    }

    /** Refuses values of {@code others}, which belong to {@code average}, where nobody gives that. */
    void refuseWithout(UploadSetting average, UploadSetting... others) {
        for (UploadSetting other : others) {
            String value = text(other);
            if (!value.isEmpty()) {
                throw new IllegalArgumentException(
                        whereFrom(other) + " " + value + " is for -" + average.option() + ": give that, too");
            }
        }
    }

    /** A number from 1 to {@code most}. */
    int count(UploadSetting setting, int most) {
        String value = text(setting);
        try {
            int count = Integer.parseInt(value);
            if (count >= 1 && count <= most) {
                return count;
            }
        } catch (NumberFormatException e) {
            // the same refusal, below
        }
        throw new IllegalArgumentException(whereFrom(setting) + " " + value + " is not a number in 1.." + most);
    }

    private boolean isOnCommandLine(UploadSetting setting) {
        return format.getOptValue(setting.option()) != null;
    }

    private String whereFrom(UploadSetting setting) {
        return isOnCommandLine(setting) ? "-" + setting.option() : setting.key();
    }
}
