package dev.bluebell.verbs.ring;

/** A queue of receive requests to which completions refer, of one queue pair or of many. */
public sealed interface Receives
    permits ReceiveRing, SharedReceiveRing, TagMatchingRing, StridingRing {}
