package dev.bluebell.softnic.diagnosis;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaObserver;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.WqeOpcode;
import org.jspecify.annotations.Nullable;

/**
 * What a 16-byte entry of the flight recorder says happened: plain numbers, so that recording costs
 * two stores.
 */
public final class Happening {
  /** A send WQE was fetched; detail is its opcode. */
  public static final int FETCHED = 1;

  /** A WQE failed; the text is the whole WQE. */
  public static final int FAILED = 2;

  /** A completion was written; number is the QPN, detail is CQE opcode and syndrome. */
  public static final int COMPLETED = 3;

  /** An acknowledgement arrived; detail is its PSN. */
  public static final int ACKNOWLEDGED = 4;

  /** A negative acknowledgement arrived; detail is its code. */
  public static final int REFUSED = 5;

  /** The receiver was not ready; detail is the timer code. */
  public static final int RECEIVER_NOT_READY = 6;

  /** The requester goes back to a PSN; detail is the PSN. */
  public static final int RETRY = 7;

  /** A queue pair changed its state; detail is the new state. */
  public static final int STATE = 8;

  /** A request or response was dropped without an answer; detail is its PSN. */
  public static final int DROPPED = 9;

  /** An asynchronous or completion event was raised; detail is its type. */
  public static final int EVENT = 10;

  /** A command was executed; number is its opcode, detail its status. */
  public static final int COMMAND = 11;

  /** A queue's doorbell was seen; index is the new producer index. */
  public static final int DOORBELL = 12;

  /** The fabric lost a packet that a queue pair sent; detail is its PSN. */
  public static final int LOST = 13;

  /** A WQE was executed whose memory was changed after it was fetched. */
  public static final int CHANGED = 14;

  private Happening() {}

  /** What the number of an entry names; null when that is no object. */
  static HcaObserver.@Nullable Subject subject(int kind, int detail) {
    return switch (kind) {
      case COMMAND -> null;
      case EVENT ->
          switch (detail) {
            case HcaEvent.COMPLETION, HcaEvent.CQ_ERROR -> HcaObserver.Subject.COMPLETION_QUEUE;
            case HcaEvent.SRQ_LIMIT, HcaEvent.SRQ_CATASTROPHIC, HcaEvent.PORT_CHANGE -> null;
            default -> HcaObserver.Subject.QUEUE_PAIR;
          };
      default -> HcaObserver.Subject.QUEUE_PAIR;
    };
  }

  static String describe(int kind, int number, int index, int detail) {
    return switch (kind) {
      case FETCHED -> "QP 0x%x fetched WQE %d %s".formatted(number, index, WqeOpcode.name(detail));
      case FAILED -> "QP 0x%x failed at WQE %d".formatted(number, index);
      case COMPLETED ->
          "QP 0x%x completed WQE %d %s%s"
              .formatted(
                  number,
                  index,
                  CqeOpcode.name(detail >>> 8),
                  (detail & 0xff) == 0 ? "" : " " + Syndrome.name(detail & 0xff));
      case ACKNOWLEDGED -> "QP 0x%x acknowledged through PSN %d".formatted(number, detail);
      case REFUSED -> "QP 0x%x got NAK 0x%02x".formatted(number, detail);
      case RECEIVER_NOT_READY -> "QP 0x%x got RNR NAK, timer code %d".formatted(number, detail);
      case RETRY -> "QP 0x%x goes back to PSN %d".formatted(number, detail);
      case STATE -> "QP 0x%x is now %s".formatted(number, stateName(detail));
      case DROPPED -> "QP 0x%x dropped a packet, PSN %d".formatted(number, detail);
      case EVENT -> "event %s of 0x%x".formatted(HcaEvent.typeName(detail), number);
      case COMMAND ->
          "command %s status 0x%x"
              .formatted(dev.bluebell.hca.command.CommandOpcode.name(number), detail);
      case DOORBELL -> "QP 0x%x doorbell, producer index %d".formatted(number, index);
      case LOST -> "QP 0x%x sent a packet that was lost, PSN %d".formatted(number, detail);
      case CHANGED ->
          "WQE %d of queue 0x%x was changed after it was fetched".formatted(index, number);
      default -> "0x%x 0x%x %d %d".formatted(kind, number, index, detail);
    };
  }

  /** Name of a queue pair state by its number in the context. */
  public static String stateName(int state) {
    return switch (state) {
      case 0 -> "RST";
      case 1 -> "INIT";
      case 2 -> "RTR";
      case 3 -> "RTS";
      case 4 -> "SQER";
      case 5 -> "SQD";
      case 6 -> "ERR";
      default -> "state " + state;
    };
  }
}
