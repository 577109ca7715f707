package dev.bluebell.hca.uverbs;

import java.util.Arrays;
import java.util.Optional;

/** Kinds of events. Mirrors {@code rdma/rdma_cma.h: rdma_cm_event_type}. */
public enum CmEventType {
  ADDR_RESOLVED(0),
  ADDR_ERROR(1),
  ROUTE_RESOLVED(2),
  ROUTE_ERROR(3),
  CONNECT_REQUEST(4),
  CONNECT_RESPONSE(5),
  CONNECT_ERROR(6),
  UNREACHABLE(7),
  REJECTED(8),
  ESTABLISHED(9),
  DISCONNECTED(10),
  DEVICE_REMOVAL(11),
  MULTICAST_JOIN(12),
  TIMEWAIT_EXIT(15),
  USER(18),
  INTERNAL(19);

  private final int number;

  CmEventType(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }

  /** The kind with a number; empty for kinds that are not listed. */
  public static Optional<CmEventType> of(int number) {
    return Arrays.stream(values()).filter(kind -> kind.number == number).findFirst();
  }
}
