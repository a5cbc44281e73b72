/**
 * Device memory that every machine has: kind {@code fake}. Its addresses are real and unreadable for the CPU, so that code
 * which touches device memory directly dies at once instead of passing (rule DEV-4).
 */
@NullMarked
package io.weft.testkit.device;

import org.jspecify.annotations.NullMarked;
