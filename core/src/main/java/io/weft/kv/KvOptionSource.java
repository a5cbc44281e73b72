package io.weft.kv;

import io.weft.config.OptionGroup;
import io.weft.config.OptionSource;
import java.util.List;

/** Puts the KV layer's options into the catalogue. Stateless; safe from any thread. */
public final class KvOptionSource implements OptionSource {
    /** Made by {@link java.util.ServiceLoader}. */
    public KvOptionSource() {}

    @Override
    public List<OptionGroup> groups() {
        return List.of(KvOptions.GROUP);
    }
}
