/**
 * Options as data and the configuration made from them: which options exist ({@link io.weft.config.OptionCatalogue}), where
 * values come from ({@link io.weft.config.ConfigurationSources}) and what they add up to
 * ({@link io.weft.config.Configuration}). Environment, properties and files are read here and nowhere else; backends get
 * {@link io.weft.spi.OptionValues}.
 */
@NullMarked
package io.weft.config;

import org.jspecify.annotations.NullMarked;
