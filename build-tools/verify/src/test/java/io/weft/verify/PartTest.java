package io.weft.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(30)
class PartTest {

    private static final String GOOD = "title = a title\nsizes = default ci\nbudget = 90s\nrun = true\n";

    @TempDir
    private Path directory;

    @Test
    void readsEveryKey() throws IOException {
        Path file = write(
                "35-tcp-kit.part",
                GOOD
                        + "after = build dist\nneeds = gcc make\ngiven = KERNEL\nwants = rdma-core\nresults = a/*.xml b/*.xml\n");
        assertThat(Part.read(file))
                .isEqualTo(new Part(
                        "tcp-kit",
                        "a title",
                        Set.of(Size.DEFAULT, Size.CI),
                        Duration.ofSeconds(90),
                        "true",
                        List.of("a/*.xml", "b/*.xml"),
                        List.of("build", "dist"),
                        List.of("gcc", "make"),
                        List.of("KERNEL"),
                        List.of("rdma-core")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            budget = 90s  | budget = soon  | budget "soon" is not a number
            budget = 90s  | budget = 0s    | budget "0s" is not a number
            sizes =       | sizes = huge   | no size "huge"
            run = true    | command = true | "run" is missing
            title =       | colour = red\\ntitle = | unknown key "colour"
            """)
    void refusesWhatItDoesNotUnderstand(String from, String to, String message) throws IOException {
        Path file = write("10-x.part", GOOD.replace(from, to.replace("\\n", "\n")));
        assertThatThrownBy(() -> Part.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("10-x.part")
                .hasMessageContaining(message.replace('"', '\''));
    }

    @Test
    void ordersPartsByFileName() throws IOException {
        write("20-b.part", GOOD);
        write("10-c.part", GOOD);
        write("README.md", "not a part");
        assertThat(Part.readAll(directory)).extracting(Part::name).containsExactly("c", "b");
    }

    /** What this tree declares: budgets that do not fit into the size's would make its own budget a lie. */
    @ParameterizedTest
    @EnumSource
    void partsOfThisTreeFitIntoTheBudgetOfTheirSize(Size size) throws IOException {
        List<Part> parts = Part.readAll(Path.of("parts").toAbsolutePath()).stream()
                .filter(part -> part.sizes().contains(size))
                .toList();
        assertThat(parts).isNotEmpty();
        assertThat(parts).extracting(Part::name).doesNotHaveDuplicates();
        assertThat(parts.stream().map(Part::budget).reduce(Duration.ZERO, Duration::plus))
                .isLessThanOrEqualTo(size.budget());
    }

    /** A name that no part has would let the part that uses it run on nothing. */
    @Test
    void partsOfThisTreeComeAfterPartsThatStandBeforeThem() throws IOException {
        List<String> before = new ArrayList<>();
        for (Part part : Part.readAll(Path.of("parts").toAbsolutePath())) {
            assertThat(before).as(part.name()).containsAll(part.after());
            before.add(part.name());
        }
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }
}
