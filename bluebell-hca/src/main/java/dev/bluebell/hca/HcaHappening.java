package dev.bluebell.hca;

import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.WqeOpcode;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a software device's flight record: plain numbers, so that recording costs two stores.
 *
 * @param nanos time on the device's clock, 56 bits
 * @param kind one of the constants here
 * @param number number of the object, 24 bits: the QPN, unless the kind says otherwise
 * @param index 16 bits: index of a WQE, unless the kind says otherwise
 * @param detail 24 bits, see the kind
 * @param text additional text, such as a whole WQE; null for none
 */
public record HcaHappening(
    long nanos, int kind, int number, int index, int detail, @Nullable String text) {
  /** A send WQE was fetched; detail is its opcode. While it is traced, the text is the WQE. */
  public static final int FETCHED = 1;

  /** A WQE failed; the text is the whole WQE. */
  public static final int FAILED = 2;

  /**
   * A completion was written; detail is CQE opcode and syndrome, 8 bits each. While it is traced,
   * the text is the CQE.
   */
  public static final int COMPLETED = 3;

  /** An acknowledgement arrived; detail is its PSN. */
  public static final int ACKNOWLEDGED = 4;

  /** A negative acknowledgement arrived; detail is its code. */
  public static final int REFUSED = 5;

  /**
   * The receiver was not ready; detail is the timer code. A request can get thousands of RNR NAKs,
   * so only the first is recorded and those whose count is a power of two; index is the binary
   * logarithm of the count.
   */
  public static final int RECEIVER_NOT_READY = 6;

  /** The requester goes back to a PSN; detail is the PSN. */
  public static final int RETRY = 7;

  /**
   * A queue pair changed its state; detail is the new state, and the text says why when the queue
   * pair failed.
   */
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

  /** A WQE was executed whose memory had changed since it was fetched. */
  public static final int CHANGED = 14;

  /** The completion that was just written is an error, and the text says why. */
  public static final int EXPLAINED = 15;

  /**
   * A request took effect at its responder. Number is the responder's QPN, detail the requester's,
   * and index that of the requester's WQE. Recorded while the responder is traced.
   */
  public static final int DELIVERED = 16;

  /**
   * A queue pair learned its peer; detail is the peer's QPN, index is 1 when the peer is on the
   * same device, and the text is the service, the peer's address and the attributes that a chain of
   * requests gives a queue ({@code cq=}, {@code recv_cq=}, {@code managed}), separated by blanks.
   */
  public static final int CONNECTED = 17;

  /**
   * A message consumed a receive WQE of the queue pair; the text is the WQE. Recorded while both
   * ends are traced, and not for striding receive queues.
   */
  public static final int TAKEN = 18;

  /**
   * Stands before the oldest entry of a record that has lost older ones; number is how many entries
   * it has room for. The device makes it when the record is read.
   */
  public static final int OVERWRITTEN = 19;

  // How much larger a record is advised when one has lost entries.
  private static final int LARGER = 16;

  /** Kind of object that the number identifies; null when it is not an object. */
  public HcaObserver.@Nullable Subject subject() {
    return switch (kind) {
      case COMMAND, OVERWRITTEN -> null;
      case EVENT ->
          switch (detail) {
            case HcaEvent.COMPLETION, HcaEvent.CQ_ERROR -> HcaObserver.Subject.COMPLETION_QUEUE;
            case HcaEvent.SRQ_LIMIT, HcaEvent.SRQ_CATASTROPHIC, HcaEvent.PORT_CHANGE -> null;
            default -> HcaObserver.Subject.QUEUE_PAIR;
          };
      default -> HcaObserver.Subject.QUEUE_PAIR;
    };
  }

  /** CQE opcode of a {@link #COMPLETED}. */
  public int completionOpcode() {
    return detail >>> 8;
  }

  /** Syndrome of a {@link #COMPLETED}; 0 when it is not an error. */
  public int syndrome() {
    return detail & 0xff;
  }

  /** The name of the kind, one or two words such as {@code doorbell}. */
  public String name() {
    return switch (kind) {
      case FETCHED -> "fetched";
      case FAILED -> "failed";
      case COMPLETED -> "completed";
      case ACKNOWLEDGED -> "acknowledged";
      case REFUSED -> "NAK";
      case RECEIVER_NOT_READY -> "RNR NAK";
      case RETRY -> "retry";
      case STATE -> "state";
      case DROPPED -> "dropped";
      case EVENT -> "event";
      case COMMAND -> "command";
      case DOORBELL -> "doorbell";
      case LOST -> "lost";
      case CHANGED -> "changed";
      case EXPLAINED -> "explained";
      case DELIVERED -> "delivered";
      case CONNECTED -> "connected";
      case TAKEN -> "receive taken";
      case OVERWRITTEN -> "overwritten";
      default -> "kind " + kind;
    };
  }

  /** Describes the entry in one line, without time and text. */
  public String description() {
    return switch (kind) {
      case FETCHED -> "QP 0x%x fetched WQE %d %s".formatted(number, index, WqeOpcode.name(detail));
      case FAILED -> "QP 0x%x failed at WQE %d".formatted(number, index);
      case COMPLETED ->
          "QP 0x%x completed WQE %d %s%s"
              .formatted(
                  number,
                  index,
                  CqeOpcode.name(completionOpcode()),
                  syndrome() == 0 ? "" : " " + Syndrome.name(syndrome()));
      case ACKNOWLEDGED -> "QP 0x%x acknowledged through PSN 0x%06x".formatted(number, detail);
      case REFUSED -> "QP 0x%x got NAK 0x%02x".formatted(number, detail);
      case RECEIVER_NOT_READY ->
          "QP 0x%x got RNR NAK, timer code %d%s".formatted(number, detail, repetition());
      case RETRY -> "QP 0x%x goes back to PSN 0x%06x".formatted(number, detail);
      case STATE -> "QP 0x%x is now %s".formatted(number, QpState.name(detail));
      case DROPPED -> "QP 0x%x dropped a packet, PSN 0x%06x".formatted(number, detail);
      case EVENT -> "event %s of 0x%x".formatted(HcaEvent.typeName(detail), number);
      case COMMAND -> "command %s status 0x%x".formatted(CommandOpcode.name(number), detail);
      case DOORBELL -> "QP 0x%x doorbell, producer index %d".formatted(number, index);
      case LOST -> "QP 0x%x sent a packet that was lost, PSN 0x%06x".formatted(number, detail);
      case CHANGED ->
          "WQE %d of queue 0x%x was changed after it was fetched".formatted(index, number);
      case EXPLAINED -> "QP 0x%x WQE %d ended in error".formatted(number, index);
      case DELIVERED -> "QP 0x%x executed WQE %d of QP 0x%x".formatted(number, index, detail);
      case CONNECTED -> "QP 0x%x is connected to QP 0x%x, %s".formatted(number, detail, text);
      case TAKEN -> "a message takes receive WQE %d of QP 0x%x".formatted(index, number);
      case OVERWRITTEN ->
          "older entries are lost, because the flight record has room for %,d; the device option recorder=%d keeps more"
              .formatted(number, LARGER * (long) number);
      default -> "0x%x 0x%x %d %d".formatted(kind, number, index, detail);
    };
  }

  private String repetition() {
    return index == 0 ? "" : " (number %,d for this request)".formatted(1L << index);
  }

  /** Time, description and text, as in the flight record. */
  @Override
  public String toString() {
    String line = "%,d ns  %s".formatted(nanos, description());
    return text == null || kind == CONNECTED ? line : line + "\n" + text;
  }
}
