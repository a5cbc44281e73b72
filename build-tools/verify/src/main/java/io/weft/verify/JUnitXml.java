package io.weft.verify;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Reads the XML that Surefire, Failsafe, JUnit's console and {@code weft tck} write. */
final class JUnitXml {

    private static final XMLInputFactory FACTORY = factory();

    private JUnitXml() {}

    /** The tests of all files below {@code root} that match one of {@code globs} and were written since {@code since}. */
    static List<Check> readAll(Path root, List<String> globs, Instant since) throws IOException {
        List<PathMatcher> matchers = globs.stream()
                .map(glob -> FileSystems.getDefault().getPathMatcher("glob:" + glob))
                .toList();
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                return directory.endsWith(".git") ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                Path relative = root.relativize(file);
                if (matchers.stream().anyMatch(m -> m.matches(relative))
                        && !attributes.lastModifiedTime().toInstant().isBefore(since)) {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                // A file that another process removed meanwhile is none of the results.
                return FileVisitResult.CONTINUE;
            }
        });
        files.sort(null);
        List<Check> checks = new ArrayList<>();
        for (Path file : files) {
            checks.addAll(read(file));
        }
        return checks;
    }

    /** The tests of one file; a file that cannot be read is a failed test itself, because what it hides is unknown. */
    static List<Check> read(Path file) throws IOException {
        List<Check> checks = new ArrayList<>();
        try (InputStream in = Files.newInputStream(file)) {
            XMLStreamReader xml = FACTORY.createXMLStreamReader(in);
            String suite = "";
            while (xml.hasNext()) {
                if (xml.next() == XMLStreamConstants.START_ELEMENT) {
                    if (xml.getLocalName().equals("testsuite")) {
                        suite = attribute(xml, "name");
                    } else if (xml.getLocalName().equals("testcase")) {
                        checks.add(testCase(xml, suite));
                    }
                }
            }
        } catch (XMLStreamException e) {
            checks.add(Check.failed(
                    file.getFileName().toString(), "the result file is damaged: " + e.getMessage(), Duration.ZERO));
        }
        return checks;
    }

    private static Check testCase(XMLStreamReader xml, String suite) throws XMLStreamException {
        String group = attribute(xml, "classname");
        String name = (group.isEmpty() ? suite : group) + "." + attribute(xml, "name");
        Duration took = seconds(attribute(xml, "time"));
        Check.Outcome outcome = Check.Outcome.PASSED;
        String message = "";
        int depth = 0;
        // Elements within a test case are flat; only the first failure counts, later ones are its reruns.
        while (true) {
            int event = xml.next();
            if (event == XMLStreamConstants.END_ELEMENT && depth-- == 0) {
                return new Check(name, outcome, message, took);
            }
            if (event != XMLStreamConstants.START_ELEMENT) {
                continue;
            }
            depth++;
            Optional<Check.Outcome> found = outcomeOf(xml.getLocalName());
            if (found.isPresent() && outcome == Check.Outcome.PASSED) {
                outcome = found.get();
                message = attribute(xml, "message");
                if (message.isBlank()) {
                    message = xml.getElementText().strip();
                    depth--;
                }
                if (message.isBlank()) {
                    message = "no reason given";
                }
            }
        }
    }

    private static Optional<Check.Outcome> outcomeOf(String element) {
        return switch (element) {
            case "failure", "error" -> Optional.of(Check.Outcome.FAILED);
            case "skipped" -> Optional.of(Check.Outcome.SKIPPED);
            default -> Optional.empty();
        };
    }

    private static String attribute(XMLStreamReader xml, String name) {
        String value = xml.getAttributeValue(null, name);
        return value == null ? "" : value;
    }

    private static Duration seconds(String text) {
        try {
            // Surefire writes 1,234.5 for long ones.
            return Duration.ofMillis(Math.round(Double.parseDouble(text.replace(",", "")) * 1000));
        } catch (NumberFormatException e) {
            return Duration.ZERO;
        }
    }

    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        return factory;
    }
}
