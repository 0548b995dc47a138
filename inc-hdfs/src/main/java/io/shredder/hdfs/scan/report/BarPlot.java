// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Bars side by side as inline SVG, each with its name on the left and its figure on the right. For one thread. */
final class BarPlot {

    private static final int ROW = 26;
    private static final int BAR_HEIGHT = 16;
    private static final int TEXT_DOWN = 13;
    private static final int BAR_AT = 430;
    private static final int BAR_LENGTH = 380;
    private static final int WIDTH = 1120;
    private static final int GAP = 8;
    private static final int MOST_NAME = 60;
    private static final int REPLACEMENT = 0xFFFD;

    private final List<String> rows = new ArrayList<>();
    private final long most;

    /** @param most the figure whose bar is as long as bars get */
    BarPlot(long most) {
        this.most = most;
    }

    /**
     * Adds a bar.
     *
     * @param whole how long it is
     * @param part how much of it is dark
     */
    void add(String name, long whole, long part, String figure) {
        int y = rows.size() * ROW;
        String shown = name.length() > MOST_NAME ? "…" + name.substring(name.length() - MOST_NAME) : name;
        rows.add(String.format(
                Locale.ROOT,
                "<text class=\"name\" x=\"%d\" y=\"%d\">%s<title>%s</title></text>"
                        + "<rect class=\"whole\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>"
                        + "<rect class=\"part\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>"
                        + "<text x=\"%d\" y=\"%d\">%s</text>",
                BAR_AT - GAP,
                y + TEXT_DOWN,
                escaped(shown),
                escaped(name),
                BAR_AT,
                y,
                length(whole),
                BAR_HEIGHT,
                BAR_AT,
                y,
                length(part),
                BAR_HEIGHT,
                BAR_AT + BAR_LENGTH + GAP,
                y + TEXT_DOWN,
                escaped(figure)));
    }

    private double length(long figure) {
        return most == 0 ? 0 : (double) BAR_LENGTH * figure / most;
    }

    /** The element. */
    String svg() {
        return String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" role=\"img\">%n",
                        WIDTH,
                        rows.size() * ROW)
                + String.join("\n", rows) + "\n</svg>\n";
    }

    /** As text of HTML, or within an attribute's quotes; what XML can't hold becomes a replacement character. */
    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.appendCodePoint(isText(c) ? c : REPLACEMENT);
            }
        });
        return escaped.toString();
    }

    private static boolean isText(int c) {
        return !Character.isISOControl(c) && Character.getType(c) != Character.SURROGATE;
    }
}
