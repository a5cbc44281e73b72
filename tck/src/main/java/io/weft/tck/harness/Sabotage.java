package io.weft.tck.harness;

import io.weft.api.TransferEngine;
import io.weft.kv.RankDirectory;
import io.weft.spi.BackendProvider;
import java.util.List;

/**
 * A deliberate defect, to prove that a rule's test finds it. The kit's own tests have one for every rule, its jar has none. Applied
 * in every process of a run that names it.
 */
public interface Sabotage {
    /** Where defects come from; found by {@link java.util.ServiceLoader}. */
    interface Source {
        /**
         * The defects.
         *
         * @return all of them
         */
        List<? extends Sabotage> all();
    }

    /**
     * Names it.
     *
     * @return value of {@link io.weft.tck.TckConfig#MUTANT}
     */
    String name();

    /**
     * Spoils the backend.
     *
     * @param sound the backend under test
     * @return what runs instead
     */
    default BackendProvider backend(BackendProvider sound) {
        return sound;
    }

    /**
     * Spoils the engine.
     *
     * @param sound an engine
     * @param spec what it was opened with
     * @return what the rules get instead
     */
    default TransferEngine engine(TransferEngine sound, EngineSpec spec) {
        return sound;
    }

    /**
     * Spoils what an engine is opened with.
     *
     * @param sound what a rule asked for
     * @return what is opened instead
     */
    default EngineSpec spec(EngineSpec sound) {
        return sound;
    }

    /**
     * Spoils the descriptors' format.
     *
     * @param sound the format
     * @return what the rules get instead
     */
    default Codec codec(Codec sound) {
        return sound;
    }

    /**
     * Spoils the KV layer.
     *
     * @param sound a rank's rooms
     * @return what the rules get instead
     */
    default KvRooms rooms(KvRooms sound) {
        return sound;
    }

    /**
     * Spoils how ranks find each other.
     *
     * @param sound the directory
     * @return what ranks get instead
     */
    default RankDirectory directory(RankDirectory sound) {
        return sound;
    }
}
