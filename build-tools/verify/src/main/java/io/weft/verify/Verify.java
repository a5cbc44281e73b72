package io.weft.verify;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Entry point: the root of the tree, then the arguments of {@code ./weft verify}. Exits with 0, 1 (failed) or 2 (usage). */
public final class Verify {

    private static final int FAILED = 1;
    private static final int USAGE = 2;

    private Verify() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> Shell.kill(ProcessHandle.current())));
        System.exit(run(
                Path.of(args[0]).toAbsolutePath().normalize(),
                Arrays.asList(args).subList(1, args.length)));
    }

    static int run(Path root, List<String> arguments) throws IOException, InterruptedException {
        if (arguments.contains("--help") || arguments.contains("-h")) {
            System.out.print(Options.USAGE);
            return 0;
        }
        Options options;
        List<Part> parts;
        try {
            options = Options.parse(arguments, "true".equals(System.getenv("CI")));
            parts = select(Part.readAll(root.resolve("build-tools/verify/parts")), options);
        } catch (IllegalArgumentException e) {
            System.err.println("weft verify: " + e.getMessage());
            System.err.print(Options.USAGE);
            return USAGE;
        }
        if (options.list()) {
            parts.forEach(part -> System.out.printf("%-12s %-62s %s%n", part.name(), part.title(), part.sizes()));
            return 0;
        }
        Path outputs = Files.createDirectories(root.resolve(".weft/verify"));
        try (FileChannel file =
                        FileChannel.open(outputs.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = file.tryLock()) {
            if (lock == null) {
                System.err.println("weft verify: another verify runs in " + root + "; two would disturb each other");
                return FAILED;
            }
            Verification verification = new Verification(
                    options,
                    parts,
                    new PartRunner(root, outputs),
                    new Packages(new Shell(root, Map.of())),
                    outputs.resolve("packages.log"),
                    System.out);
            return verification.run() ? 0 : FAILED;
        }
    }

    /** The parts of the size, or those that were named, whatever their size. */
    static List<Part> select(List<Part> all, Options options) {
        if (options.only().isEmpty()) {
            return all.stream()
                    .filter(part -> options.list() || part.sizes().contains(options.size()))
                    .toList();
        }
        List<String> unknown = new ArrayList<>(options.only());
        unknown.removeAll(all.stream().map(Part::name).toList());
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    "no part " + String.join(", ", unknown) + "; --list says which there are");
        }
        return all.stream().filter(part -> options.only().contains(part.name())).toList();
    }
}
