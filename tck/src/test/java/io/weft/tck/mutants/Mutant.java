package io.weft.tck.mutants;

import io.weft.api.TransferEngine;
import io.weft.spi.BackendProvider;
import io.weft.tck.harness.Codec;
import io.weft.tck.harness.EngineSpec;
import io.weft.tck.harness.Sabotage;
import java.util.function.UnaryOperator;

/**
 * A defect, and the rule that must find it.
 *
 * @param rule the rule that must fail
 * @param defect what is wrong, in a few words
 * @param message a part of what the rule must say
 */
record Mutant(
        String rule,
        String defect,
        String message,
        UnaryOperator<BackendProvider> spoilsBackend,
        UnaryOperator<TransferEngine> spoilsEngine,
        UnaryOperator<EngineSpec> spoilsSpec,
        UnaryOperator<Codec> spoilsCodec)
        implements Sabotage {
    static Mutant backend(String rule, String defect, String message, UnaryOperator<BackendProvider> spoil) {
        return new Mutant(
                rule,
                defect,
                message,
                spoil,
                UnaryOperator.identity(),
                UnaryOperator.identity(),
                UnaryOperator.identity());
    }

    static Mutant posts(String rule, String defect, String message, Spoil.Post post) {
        return backend(rule, defect, message, sound -> Spoil.posts(sound, post, () -> {}));
    }

    static Mutant engine(String rule, String defect, String message, Spoil.Around<TransferEngine> around) {
        return new Mutant(
                rule,
                defect,
                message,
                UnaryOperator.identity(),
                sound -> Spoil.around(TransferEngine.class, sound, around),
                UnaryOperator.identity(),
                UnaryOperator.identity());
    }

    static Mutant spec(String rule, String defect, String message, UnaryOperator<EngineSpec> spoil) {
        return new Mutant(
                rule,
                defect,
                message,
                UnaryOperator.identity(),
                UnaryOperator.identity(),
                spoil,
                UnaryOperator.identity());
    }

    static Mutant codec(String rule, String defect, String message, UnaryOperator<Codec> spoil) {
        return new Mutant(
                rule,
                defect,
                message,
                UnaryOperator.identity(),
                UnaryOperator.identity(),
                UnaryOperator.identity(),
                spoil);
    }

    @Override
    public String name() {
        return rule + ": " + defect;
    }

    @Override
    public BackendProvider backend(BackendProvider sound) {
        return spoilsBackend.apply(sound);
    }

    @Override
    public TransferEngine engine(TransferEngine sound, EngineSpec spec) {
        return spoilsEngine.apply(sound);
    }

    @Override
    public EngineSpec spec(EngineSpec sound) {
        return spoilsSpec.apply(sound);
    }

    @Override
    public Codec codec(Codec sound) {
        return spoilsCodec.apply(sound);
    }
}
