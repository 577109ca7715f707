package dev.bluebell.verbs;

/** Adds the changes of memory keys: windows that are lent to the peer, and layouts. */
public interface LendingQueuePair extends ConnectedReceivingQueuePair, KeyOperations {}
