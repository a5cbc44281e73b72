package io.weft.discovery;

import java.util.Arrays;
import java.util.ServiceConfigurationError;
import java.util.concurrent.ExecutionException;

/** Words for what foreign code did wrong. */
final class Failures {
    private static final int LONGEST = 400;

    private Failures() {}

    /** Names the exception, its message, its place and, for linkage errors, the usual reason. */
    static String describe(Throwable failure) {
        Throwable shown = unwrap(failure);
        StringBuilder text = new StringBuilder("threw ").append(shown.getClass().getName());
        if (shown.getMessage() != null) {
            text.append(": ").append(shown.getMessage().lines().findFirst().orElse(""));
        }
        String place = frame(shown.getStackTrace());
        if (!place.isEmpty()) {
            text.append(" at ").append(place);
        }
        if (shown instanceof UnsupportedClassVersionError) {
            text.append("; it was compiled for a newer Java than this one (")
                    .append(Runtime.version().feature())
                    .append(')');
        } else if (shown instanceof IncompatibleClassChangeError || shown instanceof NoClassDefFoundError) {
            text.append("; a jar it needs is missing, or it was compiled against another version of it");
        }
        return text.length() <= LONGEST ? text.toString() : text.substring(0, LONGEST) + "...";
    }

    /** What happened, without the wrapping that ServiceLoader and class initialisation put around it. */
    static Throwable unwrap(Throwable failure) {
        boolean wrapper = failure instanceof ServiceConfigurationError
                || failure instanceof ExceptionInInitializerError
                || failure instanceof ExecutionException;
        Throwable cause = failure.getCause();
        return wrapper && cause != null ? unwrap(cause) : failure;
    }

    /** The innermost frame that is not the Java library's own. */
    static String frame(StackTraceElement[] stack) {
        return Arrays.stream(stack)
                .filter(f -> !"java.base".equals(f.getModuleName())
                        && !f.getClassName().startsWith("io.weft.discovery."))
                .findFirst()
                .map(f -> f.getClassName() + "." + f.getMethodName() + "(" + f.getFileName() + ":" + f.getLineNumber()
                        + ")")
                .orElse("");
    }
}
