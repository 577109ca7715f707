package dev.bluebell.verbs;

/** A queue pair that can change memory keys: windows for the peer, and layouts. */
public interface LendingQueuePair extends ConnectedReceivingQueuePair, KeyOperations {}
