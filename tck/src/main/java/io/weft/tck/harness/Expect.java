package io.weft.tck.harness;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Says what a rule wants and what was seen instead. */
public final class Expect {
    /** Something that may throw. */
    @FunctionalInterface
    public interface Action {
        /**
         * Does it.
         *
         * @throws InterruptedException if interrupted
         */
        void run() throws InterruptedException;
    }

    private Expect() {}

    /**
     * Fails unless something holds.
     *
     * @param holds whether it does
     * @param otherwise what was seen, as a sentence
     */
    public static void that(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    /**
     * Fails unless two values are equal.
     *
     * @param what what they are
     * @param wanted what the rule wants
     * @param seen what was found
     */
    public static void equal(String what, @Nullable Object wanted, @Nullable Object seen) {
        that(Objects.equals(wanted, seen), what + " is " + seen + ", must be " + wanted);
    }

    /**
     * Fails unless bytes are equal, and tells where they are not.
     *
     * @param what whose bytes
     * @param wanted what they must be
     * @param seen what they are
     */
    public static void sameBytes(String what, byte[] wanted, byte[] seen) {
        int first = Arrays.mismatch(wanted, seen);
        if (first < 0) {
            return;
        }
        if (wanted.length != seen.length) {
            throw new AssertionError(what + ": " + seen.length + " bytes, must be " + wanted.length);
        }
        int wrong = 0;
        int last = first;
        for (int i = first; i < seen.length; i++) {
            if (seen[i] != wanted[i]) {
                wrong++;
                last = i;
            }
        }
        throw new AssertionError(what + ": " + wrong + " of " + seen.length + " bytes are wrong, the first at " + first
                + " is " + (seen[first] & 0xFF) + " and must be " + (wanted[first] & 0xFF) + ", the last at " + last);
    }

    /**
     * Fails unless an action throws {@link WeftException} with one of some codes.
     *
     * @param what what is tried
     * @param action the action
     * @param codes the codes that are right
     * @return the exception
     * @throws InterruptedException if the action was interrupted
     */
    public static WeftException refused(String what, Action action, ErrorCode... codes) throws InterruptedException {
        try {
            action.run();
        } catch (WeftException refused) {
            that(
                    Arrays.asList(codes).contains(refused.code()),
                    what + " was refused with " + refused.code() + " (" + refused.getMessage() + "), must be one of "
                            + Arrays.toString(codes));
            return refused;
        } catch (RuntimeException | Error wrong) {
            throw new AssertionError(
                    what + " threw " + wrong + ", must be a WeftException with one of " + Arrays.toString(codes),
                    wrong);
        }
        throw new AssertionError(what + " was not refused, must be with one of " + Arrays.toString(codes));
    }
}
