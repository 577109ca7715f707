package dev.bluebell.verifier;

/**
 * Numbers the counters that advance with each lap: the position of each queue, and the completions
 * of each completion queue. Other advancing numbers, for which the counter is not known, are
 * numbered by their place in memory.
 */
record Counters(int queues, int completionQueues) {
  /** Counter of executed WQEBBs of a send queue. */
  int sent(ProofQueue queue) {
    return 2 * queue.number;
  }

  /** Counter of messages that a receive queue has taken. */
  int taken(ProofQueue queue) {
    return 2 * queue.number + 1;
  }

  /** Counter of completions of a completion queue. */
  int completions(ProofCq cq) {
    return 2 * queues + cq.number;
  }

  /** Number of counters, without those in memory. */
  int size() {
    return 2 * queues + completionQueues;
  }

  /** The counter for a number at a place in memory. */
  int at(int place) {
    return size() + place;
  }

  /** True when it is not known which counter a number follows. */
  boolean isUnnamed(int counter) {
    return counter >= size();
  }

  /** Place of such a number. */
  int place(int counter) {
    return counter - size();
  }
}
