package dev.bluebell.softnic.transport.local;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.transport.connection.ReceiveSource;
import dev.bluebell.softnic.transport.receive.HeldReceive;
import dev.bluebell.softnic.transport.receive.SendDelivery;

/**
 * The memory and the receive queue of a responder, for requests that cut through to it. Owned by
 * the thread that runs the engine.
 */
public final class DirectDelivery {
  /** A protection domain that no key belongs to. */
  private static final int NO_PD = -1;

  private final int pd;
  private final ReceiveSource source;
  private final HeldReceive held;
  private final SendDelivery sends;
  private long origin;
  private boolean writable;
  private boolean readable;

  /**
   * @param pd protection domain that the remote keys of requests must belong to
   * @param source where messages are received
   */
  public DirectDelivery(int pd, ReceiveSource source, HeldReceive held, SendDelivery sends) {
    this.pd = pd;
    this.source = source;
    this.held = held;
    this.sends = sends;
  }

  /**
   * Takes the rights of the peer.
   *
   * @param sender what completions say of it, as {@link dev.bluebell.softnic.packet.Origin} packs
   *     it
   */
  public void configure(boolean writes, boolean reads, long sender) {
    writable = writes;
    readable = reads;
    origin = sender;
  }

  /** Protection domain of the keys of RDMA WRITEs; one that has no keys if they are refused. */
  int writablePd() {
    return writable ? pd : NO_PD;
  }

  /** Protection domain of the keys of READs; one that has no keys if they are refused. */
  int readablePd() {
    return readable ? pd : NO_PD;
  }

  /** True when messages that need a receive WQE complete in this queue. */
  boolean completesIn(CompletionQueue queue) {
    return source.completions().equals(queue);
  }

  /** How many messages that need a receive WQE can complete, if nothing else does. */
  int receivable() {
    return held.receivable(source);
  }

  /** Bytes up to which SENDs go into their CQEs; 0 when none do. */
  public int inlineBytes() {
    return sends.inlineBytes();
  }

  /**
   * Where a SEND of so many bytes lands; {@link KeyTable#REFUSED} when the next receive WQE is not
   * plain, or refuses it. {@link #receivable} made sure that there is one.
   */
  long landing(int bytes) {
    return held.landing(source, bytes);
  }

  /** Completes a SEND that {@link #landing} found a place for. */
  void receiveSend(int opcode, int bytes, int immediate, boolean solicited) {
    held.pass(source, opcode, origin, bytes, immediate, solicited);
  }

  /** Completes an RDMA WRITE with immediate, which {@link #receivable} made sure of. */
  void receiveImmediate(int bytes, int immediate, boolean solicited) {
    held.pass(source, CqeOpcode.RESP_WR_IMM, origin, bytes, immediate, solicited);
  }
}
