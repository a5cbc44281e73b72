package io.weft.api;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * How to register or allocate memory.
 *
 * <p>Immutable; safe from any thread.
 *
 * @since 0.1
 */
public final class RegisterOptions {
    /** All rights, ordinary pages, any NUMA node. */
    public static final RegisterOptions DEFAULT = new RegisterOptions(Access.ALL, Pages.DEFAULT, -1);

    /**
     * Page size for {@link TransferEngine#allocate}.
     *
     * @since 0.1
     */
    public enum Pages {
        /** What the operating system gives. */
        DEFAULT,
        /** Transparent huge pages, asked for; a refusal is logged and harmless. */
        TRANSPARENT_HUGE,
        /** 2 MiB pages from the reserved pool; a refusal fails the call and says what to reserve. */
        HUGE_2M,
        /** 1 GiB pages from the reserved pool; a refusal fails the call and says what to reserve. */
        HUGE_1G
    }

    private final Set<Access> access;
    private final Pages pages;
    private final int numaNode;

    private RegisterOptions(Set<Access> access, Pages pages, int numaNode) {
        this.access = access;
        this.pages = pages;
        this.numaNode = numaNode;
    }

    /**
     * Sets the rights.
     *
     * @param rights the rights; an empty set is refused at registration
     * @return a copy
     */
    public RegisterOptions withAccess(Set<Access> rights) {
        Set<Access> copy = rights.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(rights));
        return new RegisterOptions(copy, pages, numaNode);
    }

    /**
     * Sets the page size; used by allocate only.
     *
     * @param value the pages
     * @return a copy
     */
    public RegisterOptions withPages(Pages value) {
        return new RegisterOptions(access, Objects.requireNonNull(value, "pages"), numaNode);
    }

    /**
     * Sets the NUMA node; used by allocate only.
     *
     * @param node the node, -1 for any
     * @return a copy
     */
    public RegisterOptions withNumaNode(int node) {
        return new RegisterOptions(access, pages, node);
    }

    /**
     * The rights.
     *
     * @return an unmodifiable set
     */
    public Set<Access> access() {
        return access;
    }

    /**
     * The page size.
     *
     * @return the pages
     */
    public Pages pages() {
        return pages;
    }

    /**
     * The NUMA node.
     *
     * @return the node, -1 for any
     */
    public int numaNode() {
        return numaNode;
    }
}
