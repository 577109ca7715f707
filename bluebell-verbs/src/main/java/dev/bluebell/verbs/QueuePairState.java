package dev.bluebell.verbs;

import dev.bluebell.hca.command.QpState;

/** State of a queue pair. Mirrors {@code verbs.h: ibv_qp_state}. */
public enum QueuePairState {
  /** Does nothing. */
  RESET(QpState.RST),
  /** Receives can be posted. */
  INIT(QpState.INIT),
  /** Ready to receive. */
  RTR(QpState.RTR),
  /** Ready to send and to receive: connected. */
  RTS(QpState.RTS),
  /** The send queue failed and can be restarted. */
  SEND_QUEUE_ERROR(QpState.SQER),
  /** The send queue is drained. */
  SEND_QUEUE_DRAINED(QpState.SQD),
  /** All requests are flushed. */
  ERROR(QpState.ERR),
  /** A state that the driver does not know. */
  UNKNOWN(-1);

  private final int code;

  QueuePairState(int code) {
    this.code = code;
  }

  /**
   * Returns the state with a code.
   *
   * @param code value of the field state of a queue pair context
   */
  public static QueuePairState of(int code) {
    for (QueuePairState state : values()) {
      if (state.code == code) {
        return state;
      }
    }
    return UNKNOWN;
  }
}
