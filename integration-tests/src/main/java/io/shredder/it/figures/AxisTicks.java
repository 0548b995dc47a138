// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.figures;

import io.shredder.it.figures.Chart.Scale;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Where an axis begins and ends, and what is written beside it.
 *
 * @param low value at its beginning
 * @param high value at its end; greater than low
 * @param values where there are ticks, low to high
 */
public record AxisTicks(Scale scale, double low, double high, List<Double> values) {
    private static final int LINEAR_STEPS = 6;
    private static final int MOST_LABELS = 9;
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

    /** Ticks for values from least to most; a linear axis begins at 0. */
    public static AxisTicks of(Scale scale, double least, double most) {
        return switch (scale) {
            case LINEAR -> linear(most);
            case LOGARITHMIC -> powers(scale, 10, least, most);
            case BYTES -> powers(scale, 2, least, most);
        };
    }

    private static AxisTicks linear(double most) {
        double top = most > 0 ? most : 1;
        double step = niceStep(top / LINEAR_STEPS);
        var values = new ArrayList<Double>();
        for (int i = 0; (i - 1) * step < top; i++) {
            values.add(i * step);
        }
        return new AxisTicks(Scale.LINEAR, 0, values.get(values.size() - 1), values);
    }

    /** The next of 1, 2 and 5 times a power of ten. */
    private static double niceStep(double rough) {
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        for (int factor : new int[] {1, 2, 5}) {
            if (factor * power >= rough) {
                return factor * power;
            }
        }
        return 10 * power;
    }

    private static AxisTicks powers(Scale scale, int base, double least, double most) {
        int from = (int) Math.floor(logarithm(least, base) + 1e-9);
        int to = Math.max(from + 1, (int) Math.ceil(logarithm(most, base) - 1e-9));
        int stride = (to - from) / MOST_LABELS + 1;
        var values = new ArrayList<Double>();
        for (int power = from; power <= to; power += stride) {
            values.add(Math.pow(base, power));
        }
        return new AxisTicks(scale, Math.pow(base, from), Math.pow(base, to), values);
    }

    private static double logarithm(double value, int base) {
        return Math.log(value) / Math.log(base);
    }

    /** Where a value lies on the axis: 0 at its beginning, 1 at its end. */
    double position(double value) {
        return scale == Scale.LINEAR ? (value - low) / (high - low) : Math.log(value / low) / Math.log(high / low);
    }

    /** What is written at a tick. */
    public String label(double value) {
        if (scale != Scale.BYTES) {
            return plain(value);
        }
        int unit = 0;
        double rest = value;
        while (rest >= 1024 && unit + 1 < UNITS.length) {
            rest /= 1024;
            unit++;
        }
        return plain(rest) + " " + UNITS[unit];
    }

    private static String plain(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.4f", value).replaceAll("0+$", "");
    }
}
