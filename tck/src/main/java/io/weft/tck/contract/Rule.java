package io.weft.tck.contract;

/**
 * One rule of the contract.
 *
 * @param id such as {@code WR-1}; never changes meaning
 * @param text the sentence or sentences, as in the contract
 * @param owner whose code has to be right
 * @param level how binding it is
 * @param section heading of the contract it stands under
 */
public record Rule(String id, String text, Owner owner, Level level, String section) {
    /**
     * The letters before the number.
     *
     * @return such as {@code WR}
     */
    public String topic() {
        return id.substring(0, id.indexOf('-'));
    }
}
