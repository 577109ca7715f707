package dev.bluebell.verbs;

/** The stage in which an interleaved layout has pieces, and may have more. */
@CheckReturnValue
public interface InterleavedPieces extends InterleavedLayout, FencedEnd {}
