package io.weft.cli;

import io.weft.config.ConfigurationSources;
import io.weft.discovery.Discovery;
import io.weft.discovery.Installation;
import java.io.PrintWriter;
import java.lang.module.ModuleDescriptor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The {@code weft} command: holds what all subcommands share. */
@Command(
        name = "weft",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = Main.Version.class,
        description = "Carries KV-cache pages between inference engines over pluggable fabrics.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:done", "1:the work failed", "2:bad usage or bad configuration"})
public final class Main implements Runnable {
    /** Every subcommand; one more is one more line here. */
    private static final List<Class<?>> COMMANDS = List.of(
            BackendsCommand.class,
            BenchCommand.class,
            BenchTargetCommand.class,
            BootstrapCommand.class,
            CompletionCommand.class,
            DemoCommand.class,
            DescriptorCommand.class,
            DoctorCommand.class,
            ExplainCommand.class,
            InspectCommand.class,
            MetricsCommand.class,
            NewBackendCommand.class,
            OptionsCommand.class,
            RankCommand.class,
            ReplayCommand.class,
            TckCommand.class,
            VectorsCommand.class);

    private final ConfigurationSources process;

    @Spec
    @Nullable
    CommandSpec spec;

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "Log more and show stack traces.")
    boolean debug;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "The configuration file, instead of WEFT_CONFIG or ./weft.conf.")
    @Nullable
    Path config;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            scope = ScopeType.INHERIT,
            description = "Set an option; may be given more than once.")
    Map<String, String> settings = new LinkedHashMap<>();

    Main(ConfigurationSources process) {
        this.process = process;
    }

    /**
     * Runs the command and ends the process with its exit code: 0 done, 1 the work failed, 2 bad usage.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        if (args.length == 1 && args[0].equals("--version")) {
            System.out.println("weft " + Version.version()); // scripts ask often, and nothing has to be set up for it
            return;
        }
        StandardOutput standard = new StandardOutput();
        PrintWriter out = new PrintWriter(standard, false, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(standard.exit(run(ConfigurationSources.ofProcess(), out, err, args), err));
    }

    /**
     * Runs the command inside this process.
     *
     * @param process where options come from besides the command line
     * @param out what the command prints
     * @param err errors and warnings
     * @param args the command line
     * @return the exit code
     */
    static int run(ConfigurationSources process, PrintWriter out, PrintWriter err, String... args) {
        Main main = new Main(process);
        CommandLine line = commandLine(main, args);
        line.setExpandAtFiles(false)
                .setOut(out)
                .setErr(err)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Errors::badUsage)
                .setExecutionExceptionHandler((e, command, parsed) -> Errors.failed(e, command, main.debug))
                .setExecutionStrategy(parsed -> {
                    Logging.configure(main.sources(), main.debug);
                    return new CommandLine.RunLast().execute(parsed);
                });
        try {
            return line.execute(args);
        } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
            // Inputs that are too deep or too large for what reads them, and jars that do not fit.
            return Errors.failed(e, line, main.debug);
        } finally {
            out.flush();
            err.flush();
        }
    }

    /** Reading the annotations of every command would take longer than most commands run, so one that is named is enough. */
    static CommandLine commandLine(Main main, String[] args) {
        List<Class<?>> named = COMMANDS.stream()
                .filter(c ->
                        args.length > 0 && c.getAnnotation(Command.class).name().equals(args[0]))
                .toList();
        boolean isAboutAll = named.isEmpty() || named.contains(CompletionCommand.class);
        CommandLine line = new CommandLine(main);
        (isAboutAll ? COMMANDS : named).forEach(line::addSubcommand);
        return line;
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                Commands.line(spec), "a command is missing; weft --help lists the commands");
    }

    /** The options of this command line that a child process must get too. */
    List<String> sharedArguments() {
        List<String> shared = new ArrayList<>();
        if (config != null) {
            shared.addAll(List.of("--config", config.toAbsolutePath().toString()));
        }
        settings.forEach((key, value) -> shared.addAll(List.of("--set", key + "=" + value)));
        if (debug) {
            shared.add("--debug");
        }
        return shared;
    }

    /** Where the options of this run come from. */
    ConfigurationSources sources() {
        ConfigurationSources sources = process.withFlags(settings);
        return config == null ? sources : sources.withFile(config);
    }

    /** Where backends are looked for: the path, and the plug-ins. */
    Discovery discovery() {
        return Plugins.discovery(sources());
    }

    /** What is installed and configured; the backends are not probed. */
    Installation installation() {
        return Installation.load(discovery(), sources(), List.of());
    }

    /** The version that the build wrote into the module descriptor or, on the class path, into the manifest. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"weft " + version()};
        }

        static String version() {
            return Optional.ofNullable(Main.class.getModule().getDescriptor())
                    .flatMap(ModuleDescriptor::rawVersion)
                    .or(() -> Optional.ofNullable(Main.class.getPackage().getImplementationVersion()))
                    .orElse("development");
        }
    }
}
