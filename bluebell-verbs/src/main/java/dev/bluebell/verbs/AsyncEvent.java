package dev.bluebell.verbs;

import dev.bluebell.hca.HcaEvent;

/**
 * An asynchronous event, which the device reports about itself or one of its objects. Mirrors
 * {@code verbs.h: ibv_async_event}.
 *
 * @param type what happened
 * @param number number of the affected completion queue, queue pair, shared receive queue or port;
 *     0 for {@link Type#DEVICE_FATAL}
 * @param detail detail from the device: the syndrome of a {@link Type#CQ_ERROR} (1 overrun, 2
 *     access violation); of a {@link Type#PORT_CHANGE}, 1 down, 4 active, 5 initialized, 6 another
 *     LID, 7 other partition keys, 9 clients must register with the subnet manager again; otherwise
 *     0
 */
public record AsyncEvent(Type type, int number, int detail) {

  /** Kinds of events. */
  public enum Type {
    /** A completion queue overran or could not be written; it delivers no more completions. */
    CQ_ERROR(HcaEvent.CQ_ERROR),
    /** A queue pair received the first message of its peer before it was fully connected. */
    COMMUNICATION_ESTABLISHED(HcaEvent.COMMUNICATION_ESTABLISHED),
    /** The send queue of a queue pair is drained. */
    SQ_DRAINED(HcaEvent.SQ_DRAINED),
    /** The device could not read a work queue; its queue pair is in the error state. */
    WQ_CATASTROPHIC(HcaEvent.WQ_CATASTROPHIC),
    /** A queue pair received an invalid request from its peer. */
    WQ_INVALID_REQUEST(HcaEvent.WQ_INVALID_REQUEST),
    /** A queue pair received a request from its peer that violates access rights. */
    WQ_ACCESS_ERROR(HcaEvent.WQ_ACCESS_ERROR),
    /** A queue pair in the error state took its last request from a shared receive queue. */
    LAST_WQE_REACHED(HcaEvent.SRQ_LAST_WQE),
    /**
     * A shared receive queue has fewer requests than its limit, see {@link SharedReceiveQueue#arm}.
     */
    RECEIVE_LIMIT(HcaEvent.SRQ_LIMIT),
    /** The device could not read a shared receive queue, which can receive nothing more. */
    SHARED_RECEIVE_ERROR(HcaEvent.SRQ_CATASTROPHIC),
    /** An armed DC target received a request with a wrong access key. */
    KEY_VIOLATION(HcaEvent.DCT_KEY_VIOLATION),
    /** A port went up or down, or its GIDs changed. */
    PORT_CHANGE(HcaEvent.PORT_CHANGE),
    /** The whole device failed. */
    DEVICE_FATAL(HcaEvent.INTERNAL_ERROR),
    /** A type of event that the driver does not know. */
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

  /** For example {@code CQ_ERROR of 0x46, detail 0x1}. */
  @Override
  public String toString() {
    return detail == 0
        ? "%s of 0x%x".formatted(type, number)
        : "%s of 0x%x, detail 0x%x".formatted(type, number, detail);
  }

  /** Converts an event that a device reported. */
  public static AsyncEvent of(HcaEvent event) {
    return new AsyncEvent(Type.of(event.type()), event.number(), event.syndrome());
  }
}
