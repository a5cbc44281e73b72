package io.weft.tck.report;

import io.weft.tck.contract.Contract;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The steps in which a backend is written, as docs/backend-guide.md has them: each makes rules possible that no earlier step
 * does.
 */
public enum Step {
    /** What is known without any I/O. */
    PROVIDER(
            "provider",
            "",
            "BackendProvider: name, builtFor and options, and its entries in META-INF/services and module-info"),
    /** Whether it can work here. */
    PROBE("probe", "CAP-2", "BackendProvider.probe: usable, or what is missing and what would help"),
    /** Life of the backend. */
    OPEN("open and close", "CFG-1", "BackendProvider.open; Backend.capabilities, limits, localAddress and close"),
    /** Regions and their keys. */
    MEMORY(
            "memory",
            "REG-1 REG-2 DSC WR-4 WR-5 WR-6 RD-4 RD-5 RD-6",
            "Backend.register, exportKey, importKey and deregister"),
    /** Bytes. */
    LINKS(
            "links",
            "CAP-1 WR-1 RD-1 REG-8 WR-2 RD-2 WR-3 RD-3 WR-7 RD-7 WR-8 RD-8 WR-9 RD-9 WR-11 RD-11 REG-3 REG-6 REG-9 REG-10"
                    + " DSC-3 ORD ST WT MM CB ERR-1 ERR-2 LIFE CFG OBS",
            "Backend.connect; Link.post, and a completion for each accepted token"),
    /** Silence. */
    FENCES("fences", "REG-4 REG-5 REG-7 DL WR-10 RD-10 PEER-4 CON-3", "Link.fence and Link.close; Backend.fencePeer"),
    /** What goes wrong. */
    TROUBLE("trouble", "ERR-3 ERR-4 BP PEER CON TIME", "LinkEvents.onDown and onWritable; WOULD_BLOCK from Link.post"),
    /** What stands on all of it. */
    WHOLE("the whole", "NOT IN VER DEV SEC KV", "nothing new: these rules try all of it together");

    /** Ids of rules in the order in which a backend's author meets them: by step, in a step the simplest first. */
    static final Comparator<String> ORDER =
            Comparator.<String, Step>comparing(Step::of).thenComparing(rule -> of(rule).place(rule));

    private final String title;
    private final String names;
    private final String work;

    Step(String title, String names, String work) {
        this.title = title;
        this.names = names;
        this.work = work;
    }

    /**
     * Its place.
     *
     * @return 1 for the first
     */
    public int number() {
        return ordinal() + 1;
    }

    /**
     * Its name.
     *
     * @return a word or two
     */
    public String title() {
        return title;
    }

    /**
     * What is written in it.
     *
     * @return a text
     */
    public String work() {
        return work;
    }

    /**
     * The rules that it makes possible.
     *
     * @return ids in the order of the contract
     */
    public List<String> rules() {
        return Contract.load().rules().stream()
                .map(rule -> rule.id())
                .filter(id -> of(id) == this)
                .toList();
    }

    /**
     * The rules that it makes possible, as the guide writes them.
     *
     * @return ids, and topics that stand for all rules of theirs that no step names
     */
    public List<String> names() {
        return names.isEmpty() ? List.of() : List.of(names.split(" "));
    }

    /**
     * Where a rule of this step is among those that it names, which begin with the simplest.
     *
     * @param rule the rule's id
     * @return 0 for the first; rules of one topic share a place
     */
    int place(String rule) {
        int own = names().indexOf(rule);
        return own >= 0 ? own : names().indexOf(topic(rule));
    }

    private static String topic(String rule) {
        return rule.substring(0, rule.indexOf('-'));
    }

    /**
     * The step that makes a rule possible.
     *
     * @param rule the rule's id
     * @return the step
     */
    public static Step of(String rule) {
        String topic = topic(rule);
        return Arrays.stream(values())
                .filter(step -> step.names().contains(rule))
                .findFirst()
                .or(() -> Arrays.stream(values())
                        .filter(step -> step.names().contains(topic))
                        .findFirst())
                .orElse(WHOLE);
    }
}
