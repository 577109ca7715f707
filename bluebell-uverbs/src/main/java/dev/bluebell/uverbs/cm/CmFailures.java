package dev.bluebell.uverbs.cm;

/** Error messages for a client whose ids fail to connect. */
final class CmFailures {
  /** Largest number of listeners that a sentence names. */
  private static final int MOST_NAMED = 4;

  private CmFailures() {}

  static String unresolved(CmId id) {
    return "%s can't be reached (RDMA_CM_EVENT_ADDR_ERROR, ENODEV): %s"
        .formatted(id.addressing().destination(), id.file().manager().reachable());
  }

  static String rejected(CmId id, int reason) {
    return "the connection of id %d with %s was rejected (RDMA_CM_EVENT_REJECTED, reason %d): %s"
        .formatted(id.number(), id.addressing().destination(), reason, explain(reason));
  }

  private static String explain(int reason) {
    return switch (reason) {
      case ReliableEnd.REASON_TIMEOUT ->
          "the process that asked for it gave up before there was an answer";
      case ReliableEnd.REASON_INVALID_TRANSPORT ->
          "the device at the other end has no queue pairs of this transport";
      case ReliableEnd.REASON_STALE ->
          "the other end still has an earlier connection of this queue pair, which it ends now;"
              + " connect again";
      case ReliableEnd.REASON_INVALID_GID ->
          "the addresses in the request are not those of its packet; is there an address"
              + " translation between the devices?";
      case ReliableEnd.REASON_INVALID_MTU ->
          "the path MTU is larger than the other device's; give this device the option mtu= with"
              + " the smaller one";
      case ReliableEnd.REASON_CONSUMER, ReliableEnd.REASON_VENDOR_OPTION ->
          "the process at the other end called rdma_reject, failed to accept, listens for another"
              + " type of queue pair, or ended";
      default -> "see enum ib_cm_rej_reason in Linux' ib_cm.h for the meaning";
    };
  }

  static String noListener(CmId id) {
    boolean isElsewhere = id.file().manager().isElsewhere(id.addressing().destination());
    return "the request of id %d to %s was rejected (reason 8, invalid service ID): no id listens there; start the server first, on the %s, and compare address, port and port space%s"
        .formatted(
            id.number(),
            Route.describe(id.addressing().destination(), id.addressing().space()),
            isElsewhere ? "device with this address" : "same device process",
            isElsewhere ? "" : "; " + listeners(id.file().manager()));
  }

  private static String listeners(ConnectionManager manager) {
    String known = String.join(", ", manager.ports().listeners(MOST_NAMED));
    return known.isEmpty() ? "no id listens anywhere" : "ids listen at " + known;
  }

  static String unanswered(CmId id) {
    CmAddress destination = id.addressing().destination();
    return id.file().manager().isElsewhere(destination)
        ? "the messages of id %d to %s got no answer (RDMA_CM_EVENT_UNREACHABLE): no device listens at this address, the listener had no room, or the network lost them; './bluebell ping %s' checks whether a device is there"
            .formatted(id.number(), destination, destination.host().getHostAddress())
        : "the request of id %d to %s was given up (RDMA_CM_EVENT_UNREACHABLE): the listener had no room for it; its process must read events (rdma_get_cm_event), or listen with a larger backlog"
            .formatted(id.number(), destination);
  }

  static String unconfirmed(CmId id) {
    CmAddress destination = id.addressing().destination();
    return "the reply of id %d to %s was not confirmed (RDMA_CM_EVENT_UNREACHABLE): the process that asked for the connection must read its events (rdma_get_cm_event), and call rdma_establish if it made its queue pair without librdmacm%s"
        .formatted(
            id.number(),
            destination,
            id.file().manager().isElsewhere(destination)
                ? "; or the network lost the messages"
                : "");
  }
}
