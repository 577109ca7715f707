package dev.bluebell.verbs;

/** The stage in which a list has pieces, and may have more. */
@CheckReturnValue
public interface ListPieces extends ListLayout, FencedEnd {}
