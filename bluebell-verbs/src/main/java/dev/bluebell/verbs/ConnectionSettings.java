package dev.bluebell.verbs;

import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The settings that a queue pair keeps from one connection to the next.
 *
 * @param access rights of the peer at first
 * @param port its port, from 1
 * @param gidIndex entry of the GID table that is its address
 * @param pkeyIndex entry of the partition key table
 * @param responderResources READs and atomics of the peer to serve at a time, which the device can;
 *     at least 1
 * @param initialPsn sequence number of its first packet, or {@link #RANDOM_PSN}
 */
record ConnectionSettings(
    Set<Access> access,
    int port,
    int gidIndex,
    int pkeyIndex,
    int responderResources,
    int initialPsn) {
  static final int RANDOM_PSN = -1;

  /** The sequence number to start with. Each call draws another one unless it was given. */
  int nextPsn() {
    return initialPsn == RANDOM_PSN ? ThreadLocalRandom.current().nextInt(1 << 24) : initialPsn;
  }
}
