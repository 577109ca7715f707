package dev.bluebell.softnic.transport.receive;

import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.Psn;
import dev.bluebell.softnic.packet.Opcodes;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.translation.KeyRefusals;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.SegmentList;
import dev.bluebell.softnic.transport.connection.QpIdentity;

/**
 * Refuses requests of a responder, with codes and explanations. Each method returns false, for the
 * caller to return. Owned by one responder.
 */
public final class Refusals {
  private final Refusal refusal;
  private final QpIdentity self;
  private final KeyTable keys;
  private final IncomingMessage message;
  private final HeldReceive held;

  public Refusals(
      Refusal refusal, QpIdentity self, KeyTable keys, IncomingMessage message, HeldReceive held) {
    this.refusal = refusal;
    this.self = self;
    this.keys = keys;
    this.message = message;
    this.held = held;
  }

  private boolean invalid(String why) {
    return refusal.refuse(Aeth.INVALID_REQUEST_NAK, held.syndrome(Syndrome.LOCAL_QP_OP_ERR), why);
  }

  /** Refuses an opcode that the queue pair's service does not have. */
  public boolean opcode(Packet request) {
    return invalid(
        "opcode %s is not supported by a queue pair of service %s"
            .formatted(Opcodes.name(request.opcode), self.service()));
  }

  /**
   * Refuses a request for lack of a right.
   *
   * @param field of the context
   * @param flag of {@code qp_access_flags} that sets it
   */
  public boolean right(Packet request, String field, String flag) {
    return right(request, field, flag, "");
  }

  /** Like {@link #right}, for a right that the kernel withholds while max_dest_rd_atomic is 0. */
  public boolean rightToRead(Packet request, String field, String flag) {
    return right(
        request, field, flag, ", which takes effect only if max_dest_rd_atomic is above 0");
  }

  private boolean right(Packet request, String field, String flag, String condition) {
    return invalid(
        "opcode %s needs %s, which %s does not have (%s in its qp_access_flags%s)"
            .formatted(Opcodes.name(request.opcode), field, self.name(), flag, condition));
  }

  /** Refuses a piece that neither starts a message nor continues the arriving one. */
  public boolean order(Packet request) {
    return invalid(
        "opcode %s %s a message while %s"
            .formatted(
                Opcodes.name(request.opcode),
                BthOpcode.isFirst(request.opcode) ? "starts" : "continues",
                message.isArriving() ? "another is arriving" : "none is arriving"));
  }

  /** Refuses an RDMA WRITE whose payload does not have the announced length. */
  public boolean length(long bytes, long expected) {
    return invalid(
        "an RDMA WRITE carries %d bytes, but its length says %d".formatted(bytes, expected));
  }

  /** True when a packet's size fits the path MTU of its receiver. */
  public static boolean fits(Packet request, int logMtu) {
    int opcode = request.opcode;
    int bytes = request.payloadBytes;
    int packets = request.packets;
    if (!BthOpcode.isLast(opcode)) {
      return packets > 0 && bytes == (long) packets << logMtu;
    }
    return packets == Psn.packets(bytes, logMtu) && (bytes > 0 || BthOpcode.isFirst(opcode));
  }

  /** Refuses a packet whose size does not fit the path MTU. */
  public boolean size(Packet request, int logMtu) {
    return invalid(misfit(request, logMtu));
  }

  /** Says that a packet's size does not fit the path MTU of its receiver. */
  public String misfit(Packet request, int logMtu) {
    return "%s came with %d bytes in a packet, but the path MTU of %s is %d: set the same path MTU at both ends"
        .formatted(Opcodes.name(request.opcode), request.bytesOfEach(), self.name(), 1 << logMtu);
  }

  /** Refuses a piece that names another shared receive queue than the message it continues. */
  public boolean otherQueue(Packet request, int srqn) {
    return invalid(
        "opcode %s continues a message for SRQ 0x%x but names SRQ 0x%x"
            .formatted(Opcodes.name(request.opcode), srqn, request.srqn));
  }

  /** Refuses an access that the remote key forbids. */
  public boolean key(int key, int right, long at, long bytes) {
    return key(key, right, at, bytes, message.pd());
  }

  /**
   * Refuses an access that the remote key forbids.
   *
   * @param pd protection domain that the key must belong to
   */
  public boolean key(int key, int right, long at, long bytes, int pd) {
    String why = keys.refusal("rkey", key, at, bytes, pd, self.number(), right);
    return refusal.refuse(
        Aeth.REMOTE_ACCESS_NAK,
        held.syndrome(Syndrome.LOCAL_ACCESS_ERR),
        pd == self.pd() ? why : why + ofSharedQueue(pd),
        keys.refusalToStranger(key, at, bytes, pd, self.number(), right));
  }

  private static String ofSharedQueue(int pd) {
    return "; XRC requests use keys of the domain of the SRQ that they name, here 0x%x"
        .formatted(pd);
  }

  /**
   * Refuses an access to memory of another process that is not accessible.
   *
   * @param target memory at which it failed
   */
  public boolean unreachable(int key, SegmentList target) {
    return access(KeyRefusals.unreachable("rkey", key, target));
  }

  /** Refuses an access that is not allowed. */
  public boolean access(String why) {
    return refusal.refuse(Aeth.REMOTE_ACCESS_NAK, held.syndrome(Syndrome.LOCAL_ACCESS_ERR), why);
  }

  /**
   * Invalidates the key of a request; false when it is refused.
   *
   * @param pd protection domain that the key must belong to
   */
  boolean invalidate(int key, int pd) {
    String why = keys.invalidate(key, pd, self.number());
    return why.isEmpty()
        || refusal.refuse(
            Aeth.REMOTE_ACCESS_NAK,
            held.syndrome(Syndrome.LOCAL_ACCESS_ERR),
            why,
            "rkey 0x%x may not be invalidated by this queue pair".formatted(key));
  }

  public boolean invalidRequest(String why) {
    return refusal.refuse(Aeth.INVALID_REQUEST_NAK, 0, why);
  }
}
