package io.weft.engine;

import io.weft.api.TransferEngine;

/** The contract by {@link Weft#builder()}. */
class BuilderEmbeddingTest extends EmbeddingContract {
    @Override
    protected TransferEngine open(Replacements replacements) {
        Weft.Builder builder = Weft.builder().configuration(replacements.sources());
        replacements.options().forEach(builder::option);
        replacements.providers().forEach(builder::provider);
        replacements.components().forEach(builder::component);
        if (replacements.discovery() != null) {
            builder.discovery(replacements.discovery());
        }
        if (replacements.clock() != null) {
            builder.clock(replacements.clock());
        }
        if (replacements.callbacks() != null) {
            builder.executor(replacements.callbacks());
        }
        return builder.open();
    }
}
