package dev.bluebell.verbs;

import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What a queue pair was created with, beside its sizes.
 *
 * @param access what the peer may do through it
 * @param port its port, from 1
 * @param gidIndex entry of the GID table that is its address
 * @param pkeyIndex entry of the partition key table
 * @param responderResources READs and atomics of the peer to serve at a time
 * @param initialPsn sequence number of its first packet, or {@link #RANDOM_PSN}
 * @param nopFill whether requests are kept in one piece
 * @param blueFlame whether short requests are copied into the register
 */
record QueuePairSettings(
    Set<Access> access,
    int port,
    int gidIndex,
    int pkeyIndex,
    int responderResources,
    int initialPsn,
    boolean nopFill,
    boolean blueFlame) {
  static final int RANDOM_PSN = -1;

  /** The sequence number to start with, drawn anew by each call unless it was given. */
  int nextPsn() {
    return initialPsn == RANDOM_PSN ? ThreadLocalRandom.current().nextInt(1 << 24) : initialPsn;
  }
}
