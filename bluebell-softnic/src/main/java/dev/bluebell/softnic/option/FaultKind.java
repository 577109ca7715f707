package dev.bluebell.softnic.option;

/** The kinds of injected faults. */
public enum FaultKind {
  /** A send request fails with a syndrome. */
  REQUEST(""),
  /** A send doorbell is never seen. */
  DROP_DOORBELL("drop-doorbell"),
  /** A send doorbell is seen late. */
  DELAY_DOORBELL("delay-doorbell"),
  /** A completion is never written. */
  DROP_CQE("drop-cqe"),
  /** A completion and all later ones are written late. */
  DELAY_CQE("delay-cqe"),
  /** A completion finds no room, so its queue is overrun. */
  OVERRUN("overrun"),
  /** A queue pair goes to the error state when a send request begins. */
  QP_ERROR("qp-error"),
  /** For a time, a queue pair answers reliable messages as if no receive were posted. */
  RNR("rnr"),
  /** The port goes down when a number of requests of the device have begun. */
  PORT_DOWN("port-down"),
  /** The port goes down when a number of requests of the device have begun, and comes up later. */
  PORT_RESET("port-reset"),
  /** The device dies when a number of requests of the device have begun. */
  DEVICE("device");

  private final String word;

  FaultKind(String word) {
    this.word = word;
  }

  /** Its name in options; empty for {@link #REQUEST}, whose name is its syndrome. */
  String word() {
    return word;
  }

  /** True when the rule gives it a duration. */
  boolean isDelay() {
    return this == DELAY_DOORBELL || this == DELAY_CQE || this == RNR || this == PORT_RESET;
  }

  /** True when it affects the device as a whole. */
  public boolean isOfDevice() {
    return this == PORT_DOWN || this == PORT_RESET || this == DEVICE;
  }
}
