package io.weft.tck.harness;

import io.weft.spi.Capabilities;
import io.weft.tck.TckConfig;
import java.util.ArrayDeque;
import java.util.Deque;

/** What all rules of one run share: subject, clocks, and processes that wait for work. Safe from any thread. */
public final class Run implements AutoCloseable {
    private final TckConfig config;
    private final Clocks clocks;
    private final Subject subject;
    private final Facts facts;
    private final Deque<TargetHost> idle = new ArrayDeque<>();

    /**
     * Asks the backend what it can do, and measures the machine.
     *
     * @param config what to run
     * @param subject the backend
     */
    Run(TckConfig config, Subject subject) {
        this.config = config;
        this.clocks = Clocks.calibrate(config.scale());
        this.subject = subject;
        this.facts = subject.facts();
    }

    /**
     * What to run.
     *
     * @return the configuration
     */
    public TckConfig config() {
        return config;
    }

    /**
     * The waiting times.
     *
     * @return the clocks
     */
    public Clocks clocks() {
        return clocks;
    }

    /**
     * The backend under test.
     *
     * @return the subject
     */
    public Subject subject() {
        return subject;
    }

    /**
     * What the backend says of itself.
     *
     * @return the facts
     */
    public Facts facts() {
        return facts;
    }

    /**
     * Whether targets in other processes can be reached.
     *
     * @return false for a backend whose fabric is the process
     */
    public boolean hasProcesses() {
        return facts.capabilities().reach() != Capabilities.Reach.PROCESS;
    }

    TargetHost borrow() {
        synchronized (idle) {
            TargetHost host = idle.poll();
            if (host != null && host.isAlive()) {
                return host;
            }
        }
        return TargetHost.start(config, clocks);
    }

    void giveBack(TargetHost host) {
        if (host.isAlive()) {
            synchronized (idle) {
                idle.push(host);
            }
        }
    }

    /** Ends the processes. */
    @Override
    public void close() {
        synchronized (idle) {
            idle.forEach(TargetHost::close);
            idle.clear();
        }
    }
}
