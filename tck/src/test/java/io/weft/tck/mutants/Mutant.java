package io.weft.tck.mutants;

import io.weft.api.TransferEngine;
import io.weft.kv.RankDirectory;
import io.weft.spi.BackendProvider;
import io.weft.tck.harness.Codec;
import io.weft.tck.harness.EngineSpec;
import io.weft.tck.harness.KvRooms;
import io.weft.tck.harness.Sabotage;
import java.util.function.UnaryOperator;

/**
 * A defect, and the rule that must find it.
 *
 * @param rule the rule that must fail
 * @param defect what is wrong, in a few words
 * @param message a part of what the rule must say
 * @param spoils what it does
 */
record Mutant(String rule, String defect, String message, Sabotage spoils) implements Sabotage {
    /** What a defect does; its mutant has the name. */
    private interface Defect extends Sabotage {
        @Override
        default String name() {
            return "";
        }
    }

    static Mutant backend(String rule, String defect, String message, UnaryOperator<BackendProvider> spoil) {
        return new Mutant(rule, defect, message, new Defect() {
            @Override
            public BackendProvider backend(BackendProvider sound) {
                return spoil.apply(sound);
            }
        });
    }

    static Mutant posts(String rule, String defect, String message, Spoil.Post post) {
        return backend(rule, defect, message, sound -> Spoil.posts(sound, post, () -> {}));
    }

    static Mutant engine(String rule, String defect, String message, Spoil.Around<TransferEngine> around) {
        return new Mutant(rule, defect, message, new Defect() {
            @Override
            public TransferEngine engine(TransferEngine sound, EngineSpec spec) {
                return Spoil.around(TransferEngine.class, sound, around);
            }
        });
    }

    static Mutant spec(String rule, String defect, String message, UnaryOperator<EngineSpec> spoil) {
        return new Mutant(rule, defect, message, new Defect() {
            @Override
            public EngineSpec spec(EngineSpec sound) {
                return spoil.apply(sound);
            }
        });
    }

    static Mutant codec(String rule, String defect, String message, UnaryOperator<Codec> spoil) {
        return new Mutant(rule, defect, message, new Defect() {
            @Override
            public Codec codec(Codec sound) {
                return spoil.apply(sound);
            }
        });
    }

    static Mutant rooms(String rule, String defect, String message, Spoil.Around<KvRooms> around) {
        return new Mutant(rule, defect, message, new Defect() {
            @Override
            public KvRooms rooms(KvRooms sound) {
                return Spoil.around(KvRooms.class, sound, around);
            }
        });
    }

    static Mutant directory(String rule, String defect, String message, Spoil.Around<RankDirectory> around) {
        return new Mutant(rule, defect, message, new Defect() {
            @Override
            public RankDirectory directory(RankDirectory sound) {
                return Spoil.around(RankDirectory.class, sound, around);
            }
        });
    }

    /** Whether its rule needs device memory. */
    boolean isOfDevices() {
        return rule.startsWith("DEV-");
    }

    @Override
    public String name() {
        return rule + ": " + defect;
    }

    @Override
    public BackendProvider backend(BackendProvider sound) {
        return spoils.backend(sound);
    }

    @Override
    public TransferEngine engine(TransferEngine sound, EngineSpec spec) {
        return spoils.engine(sound, spec);
    }

    @Override
    public EngineSpec spec(EngineSpec sound) {
        return spoils.spec(sound);
    }

    @Override
    public Codec codec(Codec sound) {
        return spoils.codec(sound);
    }

    @Override
    public KvRooms rooms(KvRooms sound) {
        return spoils.rooms(sound);
    }

    @Override
    public RankDirectory directory(RankDirectory sound) {
        return spoils.directory(sound);
    }
}
