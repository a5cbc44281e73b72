package io.weft.testkit.jars;

import io.weft.spi.BackendProvider;

/**
 * Writes the source of a {@link BackendProvider} whose parts a test replaces one by one.
 *
 * <p>Immutable; safe from any thread. The {@code with} methods make copies.
 *
 * @param className the provider's class, in a package
 * @param name what {@code name()} returns, as a Java expression
 * @param level what {@code builtFor()} returns, as a Java expression
 * @param options what the list of options holds, as Java expressions separated by commas
 * @param members more members, such as a constructor; {@code NAME} stands for the simple class name
 * @param probe statements of {@code probe}
 */
public record VendorProvider(
        String className, String name, String level, String options, String members, String probe) {
    /**
     * A provider whose probe says usable; it cannot be opened.
     *
     * @param className the class
     * @param name the backend's name
     * @return the provider
     */
    public static VendorProvider good(String className, String name) {
        return new VendorProvider(
                className,
                '"' + name + '"',
                "new SpiLevel(SpiLevel.MAJOR, SpiLevel.MINOR)",
                "",
                "",
                "return Availability.usable(List.of());");
    }

    /**
     * With another name.
     *
     * @param expression a Java expression
     * @return a copy
     */
    public VendorProvider withName(String expression) {
        return new VendorProvider(className, expression, level, options, members, probe);
    }

    /**
     * Built for another level.
     *
     * @param expression a Java expression
     * @return a copy
     */
    public VendorProvider withLevel(String expression) {
        return new VendorProvider(className, name, expression, options, members, probe);
    }

    /**
     * With options.
     *
     * @param expressions Java expressions separated by commas
     * @return a copy
     */
    public VendorProvider withOptions(String expressions) {
        return new VendorProvider(className, name, level, expressions, members, probe);
    }

    /**
     * With more members.
     *
     * @param text Java members
     * @return a copy
     */
    public VendorProvider withMembers(String text) {
        return new VendorProvider(className, name, level, options, text, probe);
    }

    /**
     * With another probe.
     *
     * @param statements Java statements
     * @return a copy
     */
    public VendorProvider withProbe(String statements) {
        return new VendorProvider(className, name, level, options, members, statements);
    }

    /**
     * A jar with this provider in it and in its service file.
     *
     * @return a builder to add to
     */
    public JarBuilder jar() {
        return new JarBuilder().source(className, source()).service(BackendProvider.class.getName(), className);
    }

    /**
     * The source file.
     *
     * @return Java text
     */
    public String source() {
        int dot = className.lastIndexOf('.');
        return """
                package PACKAGE;
                import io.weft.spi.Availability;
                import io.weft.spi.Backend;
                import io.weft.spi.BackendContext;
                import io.weft.spi.BackendProvider;
                import io.weft.spi.OptionSpec;
                import io.weft.spi.ProbeContext;
                import io.weft.spi.SpiLevel;
                import java.util.List;
                public class NAME implements BackendProvider {
                    MEMBERS
                    public String name() { return BACKEND; }
                    public SpiLevel builtFor() { return LEVEL; }
                    public List<OptionSpec> options() { return List.of(OPTIONS); }
                    public Availability probe(ProbeContext context) { PROBE }
                    public Backend open(BackendContext context) { throw new UnsupportedOperationException(); }
                }
                """.replace("MEMBERS", members)
                .replace("PACKAGE", className.substring(0, dot))
                .replace("NAME", className.substring(dot + 1))
                .replace("BACKEND", name)
                .replace("LEVEL", level)
                .replace("OPTIONS", options)
                .replace("PROBE", probe);
    }
}
