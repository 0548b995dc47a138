// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.figures;

import java.util.List;

/**
 * A plot of the report.
 *
 * @param id its file's name without ending
 * @param title one line, with the paper's figure where it stands for one
 * @param x what the horizontal axis says
 * @param y what the vertical axis says
 * @param curves in the order of the legend; those without points are left out
 */
public record Chart(String id, String title, Axis x, Axis y, List<Curve> curves) {
    /** An axis: its label and whether it is logarithmic (sizes in bytes: to the base of 2). */
    public record Axis(String label, Scale scale) {}

    /** How values lie on an axis. */
    public enum Scale {
        LINEAR,
        LOGARITHMIC,
        /** Logarithmic, and labelled in KiB, MiB and GiB. */
        BYTES
    }

    /** A point; both values positive on a logarithmic axis. */
    public record Point(double x, double y) {}

    /** Points from left to right. */
    public record Curve(String name, List<Point> points) {}

    public Chart {
        curves = curves.stream().filter(curve -> !curve.points().isEmpty()).toList();
    }
}
