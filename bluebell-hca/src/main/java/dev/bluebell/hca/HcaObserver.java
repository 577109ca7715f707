package dev.bluebell.hca;

/** Hears of what a software device explains, as it happens. */
public interface HcaObserver {

  /** Kinds of objects that explanations and entries of the flight record are about. */
  enum Subject {
    QUEUE_PAIR,
    COMPLETION_QUEUE,
    UAR_PAGE
  }

  /**
   * Something failed. Called by the thread that runs the device, which waits meanwhile: it must not
   * block.
   *
   * @param subject what failed; for a work request the completion queue that tells of it
   * @param number of the object
   * @param sentence why
   */
  void explained(Subject subject, int number, String sentence);

  /** Chooses entries of the flight record. */
  interface Filter {

    /**
     * True for entries that are wanted; those of commands belong to no object and are not asked
     * for.
     *
     * @param cycles when it happened, on the device's clock
     */
    boolean takes(Subject subject, int number, long cycles);
  }
}
