package io.weft.replay.report;

import java.util.Locale;

/** Collects an SVG picture that scales to the page's width. Confined to one thread. */
final class Chart {
    /** Room for labels beside the picture, in the size that they have on a phone. */
    static final int LABELS = 108;

    static final int NO_LABELS = 24;
    private static final int WIDTH = 720;
    private static final int RIGHT = 36;
    private static final int BOTTOM = 30;
    private static final int TOP = 10;

    private final StringBuilder svg = new StringBuilder();
    private final int left;
    private final int height;
    private final double xMax;
    private final double yMax;

    Chart(String label, int left, int height, double xMax, double yMax) {
        this.left = left;
        this.height = height;
        this.xMax = Math.max(xMax, 1e-9);
        this.yMax = Math.max(yMax, 1e-9);
        add("<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">", WIDTH, height, Html.escape(label));
    }

    double x(double value) {
        return left + value / xMax * (WIDTH - left - RIGHT);
    }

    double y(double value) {
        return height - BOTTOM - value / yMax * (height - BOTTOM - TOP);
    }

    void tickX(double value, String text) {
        double at = x(value);
        add("<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>", at, TOP, at, height - BOTTOM);
        add("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>", at, height - 8, Html.escape(text));
    }

    void tickY(double value, String text) {
        double at = y(value);
        add("<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>", left, at, WIDTH - RIGHT, at);
        add("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>", left - 6, at + 4, Html.escape(text));
    }

    void bar(String style, double x1, double x2, double top, double thickness, String title) {
        add(
                "<rect class=\"%s\" x=\"%.1f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"><title>%s</title></rect>",
                style, x(x1), top, Math.max(0.6, x(x2) - x(x1)), thickness, Html.escape(title));
    }

    void area(String style, double[] xs, double[] ys) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < xs.length; i++) {
            points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(xs[i]), y(ys[i])));
        }
        add(
                "<polygon class=\"%s\" points=\"%.1f,%.1f %s%.1f,%.1f\"/>",
                style, x(xs[0]), y(0), points, x(xs[xs.length - 1]), y(0));
    }

    void line(String style, double[] xs, double[] ys) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < xs.length; i++) {
            points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(xs[i]), y(ys[i])));
        }
        add("<polyline class=\"%s\" points=\"%s\"/>", style, points);
    }

    private void add(String format, Object... arguments) {
        svg.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }

    String end() {
        return svg.append("</svg>").toString();
    }
}
