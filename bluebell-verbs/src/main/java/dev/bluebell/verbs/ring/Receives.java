package dev.bluebell.verbs.ring;

/** Receive requests, as completions find them: those of one queue pair, or of many. */
public sealed interface Receives
    permits ReceiveRing, SharedReceiveRing, TagMatchingRing, StridingRing {}
