package io.weft.spi;

import java.util.List;
import java.util.Map;

/**
 * Offers a wire-compatible backend's codec to {@code weft vectors}, which runs golden vectors through it. A service found by
 * {@link java.util.ServiceLoader}; implemented by vendors. Pure and thread-safe.
 *
 * <p>Values are JSON-like: {@code String}, {@code Long}, {@code Boolean}, {@code List}, {@code Map}; 64-bit unsigned numbers as
 * decimal strings, bytes as hex strings.
 *
 * @since 0.1
 */
public interface WireVectors {
    /**
     * The vector kinds it knows. A vector's kind may carry a variant in parentheses, as {@code TcpCtrlFrame(HELLO=1)}; naming
     * the part before the parenthesis offers all its variants.
     *
     * @return kinds, such as {@code TcpCtrlFrame}
     */
    List<String> kinds();

    /**
     * Encodes the values of a vector.
     *
     * @param kind the vector's whole kind, with its variant
     * @param values the vector's values
     * @return the bytes
     * @throws io.weft.api.WeftException INVALID_ARGUMENT for values that cannot be encoded
     */
    byte[] encode(String kind, Map<String, Object> values);

    /**
     * Decodes the bytes of a vector.
     *
     * @param kind the vector's whole kind, with its variant
     * @param bytes the bytes
     * @return the values, in the form of the vector
     * @throws io.weft.api.WeftException DECODE_ERROR or PROTOCOL for malformed bytes
     */
    Map<String, Object> decode(String kind, byte[] bytes);
}
