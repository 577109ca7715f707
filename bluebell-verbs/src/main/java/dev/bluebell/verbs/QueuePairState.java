package dev.bluebell.verbs;

/** State of a queue pair. Mirrors {@code verbs.h: ibv_qp_state}. */
public enum QueuePairState {
  /** Does nothing. */
  RESET(0),
  /** Takes receive requests. */
  INIT(1),
  /** Ready to receive. */
  RTR(2),
  /** Ready to send and to receive: connected. */
  RTS(3),
  /** The send queue failed and can be restarted. */
  SEND_QUEUE_ERROR(4),
  /** The send queue is drained. */
  SEND_QUEUE_DRAINED(5),
  /** All requests are flushed. */
  ERROR(6),
  /** A state that the driver has no name for. */
  UNKNOWN(-1);

  private final int code;

  QueuePairState(int code) {
    this.code = code;
  }

  static QueuePairState of(int code) {
    for (QueuePairState state : values()) {
      if (state.code == code) {
        return state;
      }
    }
    return UNKNOWN;
  }
}
