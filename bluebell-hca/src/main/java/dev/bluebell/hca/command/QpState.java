package dev.bluebell.hca.command;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.structure.ConstantNames;

/**
 * Numbers of a queue pair's states in its context: {@link Qpc#STATE}. Mirrors {@code qp.h:
 * MLX5_QP_STATE_*} of Linux. Verbs numbers {@link #SQER} and {@link #SQD} the other way round.
 */
public final class QpState {
  /** Reset: does nothing. */
  public static final int RST = 0;

  /** Initialized: receives can be posted. */
  public static final int INIT = 1;

  /** Ready to receive. */
  public static final int RTR = 2;

  /** Ready to send and to receive. */
  public static final int RTS = 3;

  /** The send queue failed and can be restarted. */
  public static final int SQER = 4;

  /** The send queue is drained. */
  public static final int SQD = 5;

  /** All requests are flushed. */
  public static final int ERR = 6;

  private static final ConstantNames NAMES = new ConstantNames(QpState.class, "state %d");

  private QpState() {}

  /** The name of a state, or its number when it has none. */
  public static String name(int state) {
    return NAMES.of(state);
  }
}
