package io.weft.tck.report;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** The cases in the form that build servers read. */
final class JUnitXml {
    private JUnitXml() {}

    static void write(Path file, Certificate certificate, List<Results.CaseResult> cases) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        try (Writer out = Files.newBufferedWriter(file)) {
            XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(out);
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeStartElement("testsuite");
            xml.writeAttribute("name", certificate.statement());
            xml.writeAttribute("tests", Integer.toString(cases.size()));
            xml.writeAttribute(
                    "failures",
                    Long.toString(
                            cases.stream().filter(Results.CaseResult::failed).count()));
            xml.writeAttribute(
                    "skipped",
                    Long.toString(
                            cases.stream().filter(Results.CaseResult::aborted).count()));
            xml.writeAttribute("errors", "0");
            xml.writeAttribute(
                    "time",
                    seconds(cases.stream().mapToLong(Results.CaseResult::nanos).sum()));
            for (Results.CaseResult result : cases) {
                write(xml, result);
            }
            xml.writeEndElement();
            xml.writeEndDocument();
        } catch (XMLStreamException failed) {
            throw new IOException(failed);
        }
    }

    private static void write(XMLStreamWriter xml, Results.CaseResult result) throws XMLStreamException {
        xml.writeCharacters("\n");
        xml.writeStartElement("testcase");
        xml.writeAttribute("classname", "weft.tck." + result.rule());
        xml.writeAttribute("name", result.method() + ": " + result.permutation());
        xml.writeAttribute("time", seconds(result.nanos()));
        if (result.aborted()) {
            xml.writeEmptyElement("skipped");
            xml.writeAttribute("message", legal(result.reason()));
        } else if (result.thrown() != null) {
            xml.writeStartElement("failure");
            xml.writeAttribute("message", legal(result.reason()));
            xml.writeAttribute("type", result.thrown().getClass().getName());
            xml.writeCharacters(legal(String.valueOf(result.thrown().getMessage())));
            xml.writeEndElement();
        }
        xml.writeEndElement();
    }

    /** XML has no way to write most control characters. */
    private static String legal(String text) {
        return text.replaceAll("[\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\uFFFE\\uFFFF]", "?");
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.3f", nanos / 1e9);
    }
}
