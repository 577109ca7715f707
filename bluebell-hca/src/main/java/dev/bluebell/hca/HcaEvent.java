package dev.bluebell.hca;

import dev.bluebell.hca.command.ObjectKind;
import java.util.Set;

/**
 * An event, with the contents of an event queue entry. Types mirror {@code device.h:
 * MLX5_EVENT_TYPE_*}.
 *
 * @param type one of the constants here
 * @param number number of the object: CQN, QPN, DCTN, RMPN, number of an XRC SRQ, or port
 * @param syndrome of a {@link #CQ_ERROR}: 1 overrun, 2 access violation; of a {@link #PORT_CHANGE}
 *     its subtype; otherwise 0
 * @param cookie cookie of the subscription
 */
public record HcaEvent(int type, int number, int syndrome, long cookie) {
  public static final int COMPLETION = 0x00;
  public static final int PATH_MIGRATED = 0x01;
  public static final int COMMUNICATION_ESTABLISHED = 0x02;
  public static final int SQ_DRAINED = 0x03;
  public static final int CQ_ERROR = 0x04;
  public static final int WQ_CATASTROPHIC = 0x05;
  public static final int INTERNAL_ERROR = 0x08;
  public static final int PORT_CHANGE = 0x09;
  public static final int WQ_INVALID_REQUEST = 0x10;
  public static final int WQ_ACCESS_ERROR = 0x11;
  public static final int SRQ_CATASTROPHIC = 0x12;
  public static final int SRQ_LAST_WQE = 0x13;
  public static final int SRQ_LIMIT = 0x14;

  /** A DC target has no sessions left and accepts no new ones, after DRAIN_DCT. */
  public static final int DCT_DRAINED = 0x1c;

  /** An armed DC target received a request with a wrong DC access key. */
  public static final int DCT_KEY_VIOLATION = 0x1d;

  /** Syndrome of a CQ error: the ring was full. */
  public static final int CQ_OVERRUN = 1;

  /** Syndrome of a CQ error: the ring could not be written. */
  public static final int CQ_ACCESS_VIOLATION = 2;

  // Subtypes of PORT_CHANGE, device.h: MLX5_PORT_CHANGE_SUBTYPE_*.
  public static final int PORT_DOWN = 1;
  public static final int PORT_ACTIVE = 4;
  public static final int PORT_INITIALIZED = 5;
  public static final int PORT_LID = 6;
  public static final int PORT_PARTITION_KEYS = 7;
  public static final int PORT_CLIENT_REREGISTRATION = 9;

  /**
   * The event types that objects of a kind may raise. Kinds that share a type share their
   * {@linkplain ObjectKind#numbering numbers}, or have different ones, so a type and a number
   * identify one object.
   */
  public static Set<Integer> typesOf(ObjectKind kind) {
    return switch (kind) {
      case QUEUE_PAIR ->
          Set.of(
              PATH_MIGRATED,
              COMMUNICATION_ESTABLISHED,
              SQ_DRAINED,
              WQ_CATASTROPHIC,
              WQ_INVALID_REQUEST,
              WQ_ACCESS_ERROR,
              SRQ_LAST_WQE);
      case DC_TARGET ->
          Set.of(
              WQ_CATASTROPHIC, WQ_INVALID_REQUEST, WQ_ACCESS_ERROR, DCT_DRAINED, DCT_KEY_VIOLATION);
      case TAG_MATCHING_QUEUE, XRC_SRQ, RECEIVE_POOL -> Set.of(SRQ_LIMIT, SRQ_CATASTROPHIC);
      case COMPLETION_QUEUE -> Set.of(COMPLETION, CQ_ERROR);
      case MEMORY_KEY, DEVICE_MEMORY, XRC_DOMAIN, PROTECTION_DOMAIN, UAR_PAGE, UMEM -> Set.of();
    };
  }

  /** The kernel's name of an event type, or its hexadecimal value when the type is unknown. */
  public static String typeName(int type) {
    return switch (type) {
      case COMPLETION -> "COMPLETION";
      case PATH_MIGRATED -> "PATH_MIGRATED";
      case COMMUNICATION_ESTABLISHED -> "COMMUNICATION_ESTABLISHED";
      case SQ_DRAINED -> "SQ_DRAINED";
      case CQ_ERROR -> "CQ_ERROR";
      case WQ_CATASTROPHIC -> "WQ_CATASTROPHIC";
      case INTERNAL_ERROR -> "INTERNAL_ERROR";
      case PORT_CHANGE -> "PORT_CHANGE";
      case WQ_INVALID_REQUEST -> "WQ_INVALID_REQUEST";
      case WQ_ACCESS_ERROR -> "WQ_ACCESS_ERROR";
      case SRQ_CATASTROPHIC -> "SRQ_CATASTROPHIC";
      case SRQ_LAST_WQE -> "SRQ_LAST_WQE";
      case SRQ_LIMIT -> "SRQ_LIMIT";
      case DCT_DRAINED -> "DCT_DRAINED";
      case DCT_KEY_VIOLATION -> "DCT_KEY_VIOLATION";
      default -> "0x%02x".formatted(type);
    };
  }
}
