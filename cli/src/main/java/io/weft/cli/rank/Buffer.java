package io.weft.cli.rank;

import io.weft.kv.layout.BufferSpec;

/**
 * One buffer and the coordinates of its bytes. An item (page, row or slot) is {@code tokens} x {@code units} units.
 *
 * @param index number among the buffers of its group
 * @param spec where it is
 * @param kind kind of the pattern
 * @param layer model layer, tensor number or buffer number
 * @param tokens tokens of an item; 1 for state and aux
 * @param units units of a token on this rank
 * @param firstUnit global number of the first one
 * @param unitBytes bytes of a unit
 */
record Buffer(int index, BufferSpec spec, int kind, int layer, int tokens, int units, int firstUnit, int unitBytes) {
    int itemBytes() {
        return Math.toIntExact(spec.itemLen());
    }

    long addressOf(int item) {
        return spec.address() + item * spec.itemLen();
    }

    int items() {
        return spec.items();
    }

    /** What an item holds that was computed elsewhere as item {@code source}. */
    void pattern(byte[] to, long seed, int source) {
        for (int token = 0; token < tokens; token++) {
            for (int unit = 0; unit < units; unit++) {
                int at = (token * units + unit) * unitBytes;
                Pattern.unit(to, at, unitBytes, seed, kind, layer, source, token, firstUnit + unit);
            }
        }
    }
}
