package io.weft.engine.internal;

import io.weft.api.Candidate;
import io.weft.api.ErrorCode;
import io.weft.api.Verdict;
import io.weft.api.WeftException;
import io.weft.config.OptionGroup;
import io.weft.discovery.BackendEntry;
import io.weft.discovery.Installation;
import io.weft.engine.internal.backend.BackendEnvironment;
import io.weft.engine.internal.backend.OpenBackend;
import io.weft.spi.BackendProvider;
import io.weft.spi.OptionValues;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Opens every usable backend, each behind a bound, and remembers why the others are not open. Confined to one thread. */
final class BackendOpener {
    private static final Logger LOG = System.getLogger(BackendOpener.class.getName());

    private final Installation installation;
    private final BackendEnvironment environment;
    private final long openNanos;
    private final List<OpenBackend> opened = new ArrayList<>();
    private final List<Candidate> unopened = new ArrayList<>();

    BackendOpener(Installation installation, BackendEnvironment environment, long openNanos) {
        this.installation = installation;
        this.environment = environment;
        this.openNanos = openNanos;
    }

    List<OpenBackend> opened() {
        return opened;
    }

    List<Candidate> unopened() {
        return unopened;
    }

    /** Throws UNSUPPORTED if none could be opened. */
    void openAll() {
        for (BackendEntry entry : installation.backends().entries()) {
            if (entry.verdict().isPresent()) {
                unopened.add(entry.candidate(entry.verdict().get(), entry.reason()));
            } else {
                open(entry);
            }
        }
        if (opened.isEmpty()) {
            throw new WeftException(ErrorCode.UNSUPPORTED, "open an engine: no backend can be used: " + reasons());
        }
    }

    private String reasons() {
        return unopened.isEmpty()
                ? "none was found on the class path or module path; add one, such as weft-backend-tcp"
                : String.join(
                        "; ",
                        unopened.stream()
                                .map(c -> c.name() + " " + c.verdict() + " (" + c.evidence() + ")")
                                .toList());
    }

    private void open(BackendEntry entry) {
        BackendProvider provider = entry.provider().orElseThrow();
        OptionGroup group = entry.options().orElseThrow();
        OptionValues values = installation.configuration().values(group);
        int index = opened.size();
        FutureTask<OpenBackend> opening = new FutureTask<>(
                () -> OpenBackend.open(index, provider, entry.source().toString(), values, environment));
        environment.threads().named("open-" + entry.name()).newThread(opening).start();
        try {
            opened.add(opening.get(openNanos, TimeUnit.NANOSECONDS));
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof VirtualMachineError fatal) {
                throw fatal;
            }
            Throwable cause = failed.getCause();
            refuse(entry, String.valueOf(cause == null ? failed : cause.getMessage()));
        } catch (TimeoutException hangs) {
            refuse(
                    entry,
                    "open did not return within " + TimeUnit.NANOSECONDS.toMillis(openNanos)
                            + " ms (weft.open-timeout)");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new WeftException(ErrorCode.CANCELLED, "open backend " + entry.name() + ": interrupted", interrupted);
        }
    }

    private void refuse(BackendEntry entry, String why) {
        LOG.log(Level.WARNING, "WEFT-BACKEND-OPEN backend " + entry.name() + " could not be opened: " + why);
        unopened.add(entry.candidate(Verdict.OPEN_FAILED, why));
    }

    void closeAll(long deadlineNanos) {
        for (OpenBackend backend : opened) {
            try {
                backend.close(deadlineNanos);
            } catch (WeftException stuck) {
                LOG.log(Level.ERROR, "WEFT-LEFT-BEHIND " + stuck.getMessage());
            }
        }
    }
}
