/**
 * What every backend on a C library needs and nothing of any library: {@link io.weft.ffi.LibrarySearch} with each path tried,
 * {@link io.weft.ffi.CStruct} layouts, {@link io.weft.ffi.Errno}, {@link io.weft.ffi.SignalHandlers}. No policy lives here.
 *
 * <p>Restricted methods of java.lang.foreign are called in {@link io.weft.ffi.Foreign} alone, so this is the module to name in
 * {@code --enable-native-access}.
 */
@NullMarked
package io.weft.ffi;

import org.jspecify.annotations.NullMarked;
