package io.weft.cli;

import io.weft.config.KnownOption;
import io.weft.config.OptionGroup;
import io.weft.config.Setting;
import io.weft.discovery.Installation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows which options exist, what they are set to and by whom. */
@Command(name = "options", description = "List the options, what they are set to and where that comes from.")
final class OptionsCommand extends WeftCommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "COMPONENT",
            description = "Only the options of this component: weft, engine, a layer or a backend.")
    @Nullable
    String component;

    @Option(names = "--effective", description = "Show the values in force and where each comes from.")
    boolean effective;

    @Option(names = "--json", description = "Print JSON.")
    boolean json;

    @Option(names = "--markdown", description = "Print the reference page docs/configuration.md.")
    boolean markdown;

    @Override
    public Integer call() {
        if (markdown && (effective || json || component != null)) {
            throw badUsage("--markdown prints the whole reference; it goes with nothing else");
        }
        Installation installation = main().installation();
        List<Setting> settings = chosen(installation);
        if (markdown) {
            out().print(OptionReference.markdown(installation.options()));
        } else if (json) {
            out().println(Json.write(Map.of(
                    "options", settings.stream().map(OptionsCommand::asMap).toList())));
        } else if (effective) {
            out().print(values(settings));
        } else {
            settings.forEach(setting -> out().print(description(setting.option())));
        }
        installation.configuration().warnings().forEach(text -> err().println("weft: warning: " + text));
        installation.configuration().orThrow();
        return OK;
    }

    private List<Setting> chosen(Installation installation) {
        List<OptionGroup> groups = installation.options().groups();
        if (component != null && groups.stream().noneMatch(g -> g.name().equals(component))) {
            throw badUsage("no component is called " + component + "; there are "
                    + groups.stream().map(OptionGroup::name).collect(Collectors.joining(", ")));
        }
        return installation.configuration().settings().stream()
                .filter(s -> component == null || s.option().group().name().equals(component))
                .toList();
    }

    private static Table values(List<Setting> settings) {
        Table table = new Table("KEY", "VALUE", "ORIGIN", "DEFAULT");
        for (Setting s : settings) {
            table.row(
                    s.option().key(),
                    s.shown(),
                    s.origin().text(),
                    s.option().spec().defaultValue());
        }
        return table;
    }

    private static String description(KnownOption option) {
        String aliases = option.spec().aliases().isEmpty()
                ? ""
                : ", " + String.join(", ", option.spec().aliases());
        String initial = option.spec().defaultValue().isEmpty()
                ? "not set"
                : option.spec().defaultValue();
        return option.key() + " = " + initial + "\n    " + option.spec().text() + "\n    " + option.allowed() + "; "
                + option.environmentName() + aliases + "\n";
    }

    private static Map<String, Object> asMap(Setting setting) {
        KnownOption option = setting.option();
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("key", option.key());
        map.put("component", option.group().name());
        map.put("value", setting.shown());
        map.put("origin", setting.origin().text());
        map.put("type", option.spec().type().name());
        map.put("default", option.spec().defaultValue());
        map.put("allowed", option.allowed());
        map.put("environment", option.environmentName());
        map.put("aliases", option.spec().aliases());
        map.put("secret", option.spec().isSecret());
        map.put("text", option.spec().text());
        return map;
    }
}
