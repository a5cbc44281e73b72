package io.weft.telemetry.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A transfer did not succeed. A type of its own, because JFR throttles by type and each of these counts. */
@Name("io.weft.TransferFailed")
@Label("Failed Transfer")
@Description("A transfer failed or was cancelled")
@Category("Weft")
@StackTrace(false)
final class TransferFailedEvent extends EndedTransferEvent {}
