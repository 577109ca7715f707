package dev.bluebell.uverbs.cm;

/** Kinds of events. Mirrors {@code rdma/rdma_cma.h: rdma_cm_event_type}. */
enum CmEventType {
  ADDR_RESOLVED(0),
  ADDR_ERROR(1),
  ROUTE_RESOLVED(2),
  CONNECT_REQUEST(4),
  CONNECT_RESPONSE(5),
  UNREACHABLE(7),
  REJECTED(8),
  ESTABLISHED(9),
  DISCONNECTED(10),
  MULTICAST_JOIN(12),
  TIMEWAIT_EXIT(15),
  USER(18),
  INTERNAL(19);

  private final int number;

  CmEventType(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }
}
