package dev.bluebell.verifier;

/**
 * Names of what goes on from lap to lap: how far each queue is, and what each completion queue
 * received. Further numbers, of which it is not known what they count, are named by their place.
 */
record Counters(int queues, int completionQueues) {
  /** WQEBBs that a send queue has executed. */
  int sent(ProofQueue queue) {
    return 2 * queue.number;
  }

  /** Messages that a receive queue has taken. */
  int taken(ProofQueue queue) {
    return 2 * queue.number + 1;
  }

  /** Completions of a completion queue. */
  int completions(ProofCq cq) {
    return 2 * queues + cq.number;
  }

  /** How many there are but for those in memory. */
  int size() {
    return 2 * queues + completionQueues;
  }

  /** The number at a place of memory. */
  int at(int place) {
    return size() + place;
  }

  /** True when it is not known what a number counts. */
  boolean isUnnamed(int counter) {
    return counter >= size();
  }

  /** Place of a number of which that is not known. */
  int place(int counter) {
    return counter - size();
  }
}
