package dev.bluebell.lab.rxe;

/**
 * Something that two ends do with each other, and check: each may be either of the two devices.
 *
 * @param name for people
 * @param settings of the connection
 * @param body does it; throws {@link Disagreement}
 */
record Exchange(String name, Settings settings, Body body) {
  /** What is done. */
  @FunctionalInterface
  interface Body {
    /**
     * @param from posts the requests
     * @param to is their peer
     */
    void run(End from, End to);
  }
}
