package dev.bluebell.softnic.option;

/** What an injected fault does. */
public enum FaultKind {
  /** A send request fails with a syndrome. */
  REQUEST(""),
  /** A send doorbell is never seen. */
  DROP_DOORBELL("drop-doorbell"),
  /** A send doorbell is seen late. */
  DELAY_DOORBELL("delay-doorbell"),
  /** A completion is never written. */
  DROP_CQE("drop-cqe"),
  /** A completion, and those behind it, are written late. */
  DELAY_CQE("delay-cqe"),
  /** A completion finds its queue overrun. */
  OVERRUN("overrun"),
  /** A queue pair goes to the error state when a send request begins. */
  QP_ERROR("qp-error"),
  /** A queue pair answers reliable messages for a time as if it had no receive posted. */
  RNR("rnr"),
  /** The port goes down when so many requests of the device have begun. */
  PORT_DOWN("port-down"),
  /** The port goes down when so many requests of the device have begun, and comes up later. */
  PORT_RESET("port-reset"),
  /** The device dies when so many requests of the device have begun. */
  DEVICE("device");

  private final String word;

  FaultKind(String word) {
    this.word = word;
  }

  /** What options call it; empty for {@link #REQUEST}, which goes by its syndrome. */
  String word() {
    return word;
  }

  /** True when it lasts for a time that a rule says. */
  boolean isDelay() {
    return this == DELAY_DOORBELL || this == DELAY_CQE || this == RNR || this == PORT_RESET;
  }

  /** True when it happens to the device as a whole. */
  boolean isOfDevice() {
    return this == PORT_DOWN || this == PORT_RESET || this == DEVICE;
  }
}
