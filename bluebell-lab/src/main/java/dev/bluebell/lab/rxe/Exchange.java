package dev.bluebell.lab.rxe;

/**
 * An exchange of requests between two ends, with checks; each end may be on either of the two
 * devices.
 *
 * @param name name in the table
 * @param settings settings of the connection
 * @param body executes the exchange; throws {@link Disagreement}
 */
record Exchange(String name, Settings settings, Body body) {
  /** The requests and checks of an exchange. */
  @FunctionalInterface
  interface Body {
    /**
     * @param from end that posts the requests
     * @param to its peer
     */
    void run(End from, End to);
  }
}
