/** The rules, one class for each topic of the contract, each test named by the rule it proves. */
@NullMarked
package io.weft.tck.rules;

import org.jspecify.annotations.NullMarked;
