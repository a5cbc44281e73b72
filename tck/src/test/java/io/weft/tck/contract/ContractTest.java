package io.weft.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.api.ErrorCode;
import io.weft.tck.TckConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class ContractTest {
    private static final Path PAGE = Path.of("..", "docs", "contract.md");

    @Test
    void theKitHasThePageOfTheRepository() throws IOException {
        assertThat(Contract.load().rules())
                .isEqualTo(Contract.parse(Files.readString(PAGE)).rules())
                .hasSizeGreaterThan(100);
    }

    @Test
    void aTopicStandsForItsRules() {
        assertThat(configured("CB, WR-1").rules()).containsExactly("CB-1", "WR-1");
        assertThatThrownBy(() -> configured("W"))
                .hasMessageContaining("weft.tck.rules has W: the contract has no such");
    }

    private static TckConfig configured(String rules) {
        return TckConfig.read(key -> key.equals(TckConfig.RULES) ? Optional.of(rules) : Optional.empty());
    }

    @Test
    void everyRuleOfAFamilyIsThere() {
        List<String> ids = Contract.load().rules().stream().map(Rule::id).toList();
        assertThat(ids)
                .containsAll(
                        IntStream.rangeClosed(1, 11).mapToObj(n -> "WR-" + n).toList());
        assertThat(ids)
                .containsAll(
                        IntStream.rangeClosed(1, 11).mapToObj(n -> "RD-" + n).toList());
        assertThat(ids)
                .containsAll(
                        IntStream.rangeClosed(1, 12).mapToObj(n -> "KV-" + n).toList());
        assertThat(ids).contains("SEC-1a", "SEC-1b", "WT-3", "WT-4", "DEV-5");
    }

    @Test
    void ownersAndLevelsAreRead() {
        Contract contract = Contract.load();
        assertThat(contract.rule("SEC-1b").level()).hasToString("cap(enforcement=TARGET)");
        assertThat(contract.rule("DEV-1").level()).hasToString("cap(device memory)");
        assertThat(contract.rule("KV-3").owner()).isEqualTo(Owner.KV);
        assertThat(contract.rule("WR-4").owner()).isEqualTo(Owner.ENGINE);
        assertThat(contract.rule("WR-4").section()).isEqualTo("WR / RD / ORD: data");
    }

    @Test
    void theTableOfCodesIsTheEnum() throws IOException {
        List<String> rows = Files.readAllLines(PAGE).stream()
                .filter(line -> line.matches("\\| \\d+ \\| [A-Z_]+ \\|.*"))
                .map(line -> line.substring(0, line.lastIndexOf('|', line.length() - 2) + 1))
                .toList();
        assertThat(rows)
                .containsExactlyElementsOf(IntStream.range(0, ErrorCode.values().length)
                        .mapToObj(i -> ErrorCode.values()[i])
                        .map(c -> "| " + c.number() + " | " + c + " | " + c.retry() + " | " + c.moriCode() + " |")
                        .toList());
    }

    @Test
    void whatIsNoRuleIsRefused() {
        assertThatThrownBy(() -> Contract.parse("- WR-1 Bytes move."))
                .hasMessageContaining("is no rule; a rule is written '- **ID** (owner, level) text'");
        assertThatThrownBy(() -> Contract.parse("- **A-1** (engine, must) x\n- **A-1** (engine, must) y"))
                .hasMessageContaining("A-1 is there twice");
        assertThatThrownBy(() -> Contract.parse("- **A-1** (engine, may) x")).hasMessageContaining("level 'may'");
    }
}
