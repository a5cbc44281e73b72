package io.weft.kv.internal.room;

import io.weft.api.ErrorCode;

/**
 * Why a room failed. The first reason stays.
 *
 * @param code stable code
 * @param reason text for people
 * @param fromAnotherRank whether this rank only heard of it
 */
public record RoomFailure(ErrorCode code, String reason, boolean fromAnotherRank) {}
