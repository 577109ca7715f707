package dev.bluebell.hca;

/** Receives the explanations of a software device as they happen. */
public interface HcaObserver {

  /** Kinds of objects in explanations and in entries of the flight record. */
  enum Subject {
    QUEUE_PAIR,
    COMPLETION_QUEUE,
    UAR_PAGE
  }

  /**
   * Reports a failure. The thread that runs the device calls it and waits: it must not block.
   *
   * @param subject kind of object that failed; for a work request, the completion queue that
   *     reports it
   * @param number number of the object
   * @param sentence the reason
   */
  void explained(Subject subject, int number, String sentence);

  /** Selects entries of the flight record. */
  interface Filter {

    /**
     * True for selected entries. Not called for entries that have no object, such as commands.
     *
     * @param cycles time of the entry, on the device's clock
     */
    boolean takes(Subject subject, int number, long cycles);
  }
}
