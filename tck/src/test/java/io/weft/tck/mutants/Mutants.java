package io.weft.tck.mutants;

import io.weft.tck.harness.Sabotage;
import java.util.ArrayList;
import java.util.List;

/** Every defect. */
public final class Mutants implements Sabotage.Source {
    @Override
    public List<Mutant> all() {
        List<Mutant> all = new ArrayList<>();
        all.addAll(ByteMutants.all());
        all.addAll(ArgumentMutants.all());
        all.addAll(StatusMutants.all());
        all.addAll(RegionMutants.all());
        all.addAll(MemoryMutants.all());
        all.addAll(TransferMutants.all());
        all.addAll(PeerMutants.all());
        all.addAll(TargetMutants.all());
        all.addAll(DeviceMutants.all());
        all.addAll(KvMutants.all());
        return all;
    }
}
