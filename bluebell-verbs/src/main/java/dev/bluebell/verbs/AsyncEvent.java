package dev.bluebell.verbs;

import dev.bluebell.hca.HcaEvent;

/**
 * Something that happened to an object or to the device, other than a completion. Mirrors {@code
 * verbs.h: ibv_async_event}.
 *
 * @param type what happened
 * @param number number of the completion queue, queue pair, shared receive queue or port that it
 *     happened to
 * @param detail the device's own detail: for {@link Type#CQ_ERROR} the syndrome (1 overrun, 2
 *     access violation), for {@link Type#PORT_CHANGE} the subtype, otherwise 0
 */
public record AsyncEvent(Type type, int number, int detail) {

  /** Kinds of events. */
  public enum Type {
    /** A completion queue overran or could not be written; it delivers nothing more. */
    CQ_ERROR(HcaEvent.CQ_ERROR),
    /** A queue pair got the first message of its peer before it was fully connected. */
    COMMUNICATION_ESTABLISHED(HcaEvent.COMMUNICATION_ESTABLISHED),
    /** The send queue of a queue pair is drained. */
    SQ_DRAINED(HcaEvent.SQ_DRAINED),
    /** A queue of a queue pair could not be read; the queue pair is in the error state. */
    WQ_CATASTROPHIC(HcaEvent.WQ_CATASTROPHIC),
    /** A queue pair got a request from its peer that is invalid. */
    WQ_INVALID_REQUEST(HcaEvent.WQ_INVALID_REQUEST),
    /** A queue pair got a request from its peer that violates access rights. */
    WQ_ACCESS_ERROR(HcaEvent.WQ_ACCESS_ERROR),
    /** A queue pair in the error state took its last request of a shared receive queue. */
    LAST_WQE_REACHED(HcaEvent.SRQ_LAST_WQE),
    /**
     * A shared receive queue has fewer requests than its limit, see {@link SharedReceiveQueue#arm}.
     */
    RECEIVE_LIMIT(HcaEvent.SRQ_LIMIT),
    /** A shared receive queue could not be read; nothing can be received from it any more. */
    SHARED_RECEIVE_ERROR(HcaEvent.SRQ_CATASTROPHIC),
    /** A request came to an armed DC target with another access key. */
    KEY_VIOLATION(HcaEvent.DCT_KEY_VIOLATION),
    /** A port went up or down, or its GIDs changed. */
    PORT_CHANGE(HcaEvent.PORT_CHANGE),
    /** The device failed as a whole. */
    DEVICE_FATAL(HcaEvent.INTERNAL_ERROR),
    /** An event of a kind that the driver has no name for. */
    OTHER(-1);

    private final int code;

    Type(int code) {
      this.code = code;
    }

    private static Type of(int code) {
      for (Type type : values()) {
        if (type.code == code) {
          return type;
        }
      }
      return OTHER;
    }
  }

  /** As in {@code CQ_ERROR of 0x46, detail 0x1}: numbers as all else prints them. */
  @Override
  public String toString() {
    return detail == 0
        ? "%s of 0x%x".formatted(type, number)
        : "%s of 0x%x, detail 0x%x".formatted(type, number, detail);
  }

  /** The event that a device reported. */
  public static AsyncEvent of(HcaEvent event) {
    return new AsyncEvent(Type.of(event.type()), event.number(), event.syndrome());
  }
}
