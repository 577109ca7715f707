package dev.bluebell.softnic.transport;

import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.softnic.packet.Aeth;
import dev.bluebell.softnic.packet.BthOpcode;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.packet.Psn;
import dev.bluebell.softnic.translation.KeyRefusals;
import dev.bluebell.softnic.translation.KeyTable;

/**
 * The words, and the codes, of what a responder refuses. Each method returns false, for the caller
 * to return. Owned by one responder.
 */
final class Refusals {
  private final Refusal refusal;
  private final QpIdentity self;
  private final KeyTable keys;
  private final HeldReceive held;

  Refusals(Refusal refusal, QpIdentity self, KeyTable keys, HeldReceive held) {
    this.refusal = refusal;
    this.self = self;
    this.keys = keys;
    this.held = held;
  }

  private boolean invalid(String why) {
    return refusal.refuse(Aeth.INVALID_REQUEST_NAK, held.syndrome(Syndrome.LOCAL_QP_OP_ERR), why);
  }

  /** A request that the queue pair's service does not have. */
  boolean opcode(Packet request) {
    return invalid(
        "opcode %s is none that a queue pair of service %s executes"
            .formatted(BthOpcode.name(request.opcode), self.service()));
  }

  /**
   * A request that needs a right which the queue pair lacks.
   *
   * @param field of the context
   */
  boolean right(Packet request, String field) {
    return invalid(
        "opcode %s needs %s, which %s does not have"
            .formatted(BthOpcode.name(request.opcode), field, self.name()));
  }

  /** A piece that neither starts a message nor continues the one that is arriving. */
  boolean order(Packet request, IncomingMessage message) {
    return invalid(
        "opcode %s %s while %s"
            .formatted(
                BthOpcode.name(request.opcode),
                BthOpcode.isFirst(request.opcode) ? "starts" : "continues",
                message.isArriving() ? "another message is arriving" : "no message is"));
  }

  /** An RDMA WRITE whose payload is not as long as it said. */
  boolean length(long bytes, long expected) {
    return invalid(
        "an RDMA WRITE carries %d bytes where its length says %d".formatted(bytes, expected));
  }

  /** True when a packet's size fits the path MTU of its receiver. */
  static boolean fits(Packet request, int logMtu) {
    int opcode = request.opcode;
    int bytes = request.payloadBytes;
    int packets = request.packets;
    if (!BthOpcode.isLast(opcode)) {
      return packets > 0 && bytes == (long) packets << logMtu;
    }
    return packets == Psn.packets(bytes, logMtu) && (bytes > 0 || BthOpcode.isFirst(opcode));
  }

  /** A packet whose size does not fit the path MTU. */
  boolean size(Packet request, int logMtu) {
    return invalid(misfit(request, logMtu));
  }

  /** Says that a packet's size does not fit the path MTU of its receiver. */
  String misfit(Packet request, int logMtu) {
    return "a request of %d packets (%s) carries %d bytes, which does not fit the path MTU of %s, %d; both ends must have the same mtu"
        .formatted(
            request.packets,
            BthOpcode.name(request.opcode),
            request.payloadBytes,
            self.name(),
            1 << logMtu);
  }

  /** An access that a remote key does not allow. */
  boolean key(int key, int right, long at, long bytes) {
    return access(keys.refusal("rkey", key, at, bytes, self.pd(), self.number(), right));
  }

  /** An access to memory of another process that is not there. */
  boolean unreachable(int key) {
    return access(KeyRefusals.unreachable("rkey", key));
  }

  /** An access or invalidation that is not allowed. */
  boolean access(String why) {
    return refusal.refuse(Aeth.REMOTE_ACCESS_NAK, held.syndrome(Syndrome.LOCAL_ACCESS_ERR), why);
  }

  boolean invalidRequest(String why) {
    return refusal.refuse(Aeth.INVALID_REQUEST_NAK, 0, why);
  }
}
