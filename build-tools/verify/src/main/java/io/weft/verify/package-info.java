/**
 * {@code ./weft verify}: runs the parts that {@code build-tools/verify/parts} describes, counts what their tests say, ends
 * with one line of numbers. Depends on the JDK alone, because it is launched from source before anything is built.
 */
package io.weft.verify;
