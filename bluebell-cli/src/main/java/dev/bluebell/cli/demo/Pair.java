package dev.bluebell.cli.demo;

/** Two connected queue pairs of one device, with a memory region and a completion queue each. */
record Pair(Side left, Side right) {

  /** Posts a WRITE from the start of the left memory to the start of the right; does not ring. */
  void postWrite(int bytes) {
    left.queuePair().write(right.remote(0)).gather(left.region(), 0, bytes).signaled(0);
  }
}
