// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.figures;

import io.shredder.it.figures.Chart.Curve;
import io.shredder.it.figures.Chart.Point;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * A {@link Chart} as SVG 1.1. Written by hand because it must also run where there is neither a desktop module nor a
 * font, and because what exports SVG for Java under a licence that fits needs both.
 */
final class SvgChart {
    private static final int WIDTH = 860;
    private static final int HEIGHT = 460;
    private static final int LEFT = 84;
    private static final int RIGHT = 620;
    private static final int TOP = 48;
    private static final int BOTTOM = 400;
    private static final int LEGEND_LEFT = RIGHT + 24;
    private static final int LEGEND_STEP = 20;
    /** Told apart by people who don't see all colours, too (Okabe and Ito). */
    private static final String[] COLOURS = {
        "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#999999"
    };

    private final Chart chart;
    private final AxisTicks x;
    private final AxisTicks y;
    private final StringBuilder svg = new StringBuilder();

    private SvgChart(Chart chart) {
        this.chart = chart;
        this.x = ticks(chart.x(), Point::x);
        this.y = ticks(chart.y(), Point::y);
    }

    /**
     * Draws a chart.
     *
     * @throws IllegalArgumentException if it has no points
     */
    static String draw(Chart chart) {
        if (chart.curves().isEmpty()) {
            throw new IllegalArgumentException(chart.id() + " has no points to draw");
        }
        return new SvgChart(chart).draw();
    }

    private AxisTicks ticks(Chart.Axis axis, ToDoubleFunction<Point> value) {
        var values = chart.curves().stream()
                .flatMap(curve -> curve.points().stream())
                .mapToDouble(value)
                .summaryStatistics();
        return AxisTicks.of(axis.scale(), values.getMin(), values.getMax());
    }

    private String draw() {
        svg.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        element(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"sans-serif\" font-size=\"13\">",
                WIDTH, HEIGHT, WIDTH, HEIGHT);
        element("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", WIDTH, HEIGHT);
        element("<text x=\"%d\" y=\"26\" font-size=\"16\">%s</text>", LEFT, escaped(chart.title()));
        drawAxes();
        for (int i = 0; i < chart.curves().size(); i++) {
            drawCurve(chart.curves().get(i), i);
        }
        element("</svg>");
        return svg.toString();
    }

    private void drawAxes() {
        for (double value : x.values()) {
            double at = across(value);
            element("<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ddd\"/>", at, TOP, at, BOTTOM);
            element("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>", at, BOTTOM + 18, x.label(value));
        }
        for (double value : y.values()) {
            double at = up(value);
            element("<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>", LEFT, at, RIGHT, at);
            element("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>", LEFT - 8, at + 4, y.label(value));
        }
        element(
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#444\"/>",
                LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP);
        element(
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                (LEFT + RIGHT) / 2, BOTTOM + 44, escaped(chart.x().label()));
        element(
                "<text x=\"20\" y=\"%d\" text-anchor=\"middle\" transform=\"rotate(-90 20 %d)\">%s</text>",
                (TOP + BOTTOM) / 2, (TOP + BOTTOM) / 2, escaped(chart.y().label()));
    }

    private void drawCurve(Curve curve, int index) {
        String colour = COLOURS[index % COLOURS.length];
        List<Point> points = curve.points();
        var line = new StringBuilder();
        for (Point point : points) {
            line.append(String.format(Locale.ROOT, "%.1f,%.1f ", across(point.x()), up(point.y())));
            element("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>", across(point.x()), up(point.y()), colour);
        }
        element(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>",
                line.toString().strip(), colour);
        int legend = TOP + 8 + index * LEGEND_STEP;
        element(
                "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"3\"/>",
                LEGEND_LEFT, legend, LEGEND_LEFT + 18, legend, colour);
        element("<text x=\"%d\" y=\"%d\">%s</text>", LEGEND_LEFT + 24, legend + 4, escaped(curve.name()));
    }

    private double across(double value) {
        return LEFT + x.position(value) * (RIGHT - LEFT);
    }

    private double up(double value) {
        return BOTTOM - y.position(value) * (BOTTOM - TOP);
    }

    private void element(String format, Object... arguments) {
        svg.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
