package io.weft.ffi.device;

import io.weft.api.ErrorCode;
import io.weft.api.WeftException;

/** Makes the exception for a driver's status. */
final class DriverFailure {
    /** CUDA_ERROR_OUT_OF_MEMORY and hipErrorOutOfMemory. */
    private static final int OUT_OF_MEMORY = 2;

    private DriverFailure() {}

    static WeftException of(String driver, String call, int status, String name) {
        ErrorCode code = status == OUT_OF_MEMORY ? ErrorCode.RESOURCE_EXHAUSTED : ErrorCode.DEVICE;
        return new WeftException(
                code, driver + ": " + call + " failed with " + name + " (" + status + ")", status, null);
    }
}
