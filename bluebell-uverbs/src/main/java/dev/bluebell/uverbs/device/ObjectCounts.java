package dev.bluebell.uverbs.device;

import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.server.Account;
import dev.bluebell.server.Quota;
import dev.bluebell.uverbs.call.Refusal;

/** Numbers of objects of all clients by kind, with the names of {@code rdma res}. */
public final class ObjectCounts {
  private ObjectCounts() {}

  /**
   * Counts the objects of a kind.
   *
   * @param account any account of the device process
   * @param contexts open device files
   * @throws Refusal when the kind is unknown
   */
  public static long read(Account account, int contexts, String kind) {
    return switch (kind) {
      case "pd" -> account.heldByAll(Quota.DOMAINS);
      case "cq" -> account.heldByAll(Quota.COMPLETION_QUEUES);
      case "qp" -> account.heldByAll(Quota.QUEUE_PAIRS) + account.heldByAll(Quota.DC_TARGETS);
      case "mr" -> account.heldByAll(Quota.KEYS);
      case "srq" ->
          account.heldByAll(Quota.RECEIVE_QUEUES) + account.heldByAll(Quota.TAG_MATCHING_QUEUES);
      case "cm_id" -> account.heldByAll(Quota.CONNECTION_IDS);
      case "ctx" -> contexts;
      default -> throw new Refusal(Errno.ENOENT, "objects '%s' are not counted".formatted(kind));
    };
  }
}
