package io.weft.replay.model;

/**
 * State of a model that is not per token: a recurrent layer's state, or a sliding window's pages.
 *
 * @param type name of the state type, {@code mamba} or {@code swa}
 * @param tensors tensors of the whole model
 * @param itemBytes bytes of one slot (or window page) of one tensor, over all ranks
 * @param dimension size of the dimension that tensor parallelism slices; 0 if it is not sliced
 * @param itemsPerRequest slots that one request holds
 */
public record StateGeometry(String type, int tensors, long itemBytes, int dimension, int itemsPerRequest) {}
