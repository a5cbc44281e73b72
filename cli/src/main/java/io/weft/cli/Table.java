package io.weft.cli;

import io.weft.config.Printable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;

/** Left-aligned columns, each as wide as its widest cell. Thread-confined. */
final class Table {
    private static final int GAP = 2;

    private final List<String[]> rows = new ArrayList<>();

    Table(String... header) {
        rows.add(header);
    }

    void row(String... cells) {
        if (cells.length != rows.getFirst().length) {
            throw new IllegalArgumentException("row has " + cells.length + " cells");
        }
        rows.add(Arrays.stream(cells).map(Printable::escaped).toArray(String[]::new));
    }

    @Override
    public String toString() {
        Column[] columns = new Column[rows.getFirst().length];
        for (int i = 0; i < columns.length; i++) {
            int column = i;
            int widest = rows.stream().mapToInt(r -> r[column].length()).max().orElse(0);
            columns[i] = new Column(widest + GAP, 0, Column.Overflow.TRUNCATE);
        }
        TextTable table = TextTable.forColumns(picocli.CommandLine.Help.defaultColorScheme(Ansi.OFF), columns);
        rows.forEach(table::addRowValues);
        return table.toString();
    }
}
