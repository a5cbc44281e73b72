package io.weft.replay.rank;

/** The two sides of disaggregated serving. */
public enum Side {
    /** Computes prompts and writes their pages. */
    PREFILL("prefill"),
    /** Receives pages and answers. */
    DECODE("decode");

    private final String role;

    Side(String role) {
        this.role = role;
    }

    /**
     * The role's name on the command line.
     *
     * @return {@code prefill} or {@code decode}
     */
    public String role() {
        return role;
    }

    String rankName(int rank) {
        return role + "/" + rank;
    }

    static int number(String rankName) {
        return Integer.parseInt(rankName.substring(rankName.indexOf('/') + 1));
    }
}
