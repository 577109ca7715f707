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
  /** The number of a protection domain without keys. */
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
   * @param source the receive queue of messages
   */
  public DirectDelivery(int pd, ReceiveSource source, HeldReceive held, SendDelivery sends) {
    this.pd = pd;
    this.source = source;
    this.held = held;
    this.sends = sends;
  }

  /**
   * Sets the rights of the peer.
   *
   * @param sender its origin in completions, packed as {@link dev.bluebell.softnic.packet.Origin}
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

  /**
   * How many messages that need a receive WQE can complete, if nothing else completes meanwhile.
   */
  int receivable() {
    return held.receivable(source);
  }

  /** SENDs of up to so many bytes go into their CQEs; 0 when none do. */
  public int inlineBytes() {
    return sends.inlineBytes();
  }

  /**
   * Target address of a SEND of so many bytes; {@link KeyTable#REFUSED} when the next receive WQE
   * is not simple, or its key refuses. {@link #receivable} has ensured that there is one.
   */
  long landing(int bytes) {
    return held.landing(source, bytes);
  }

  /** Completes a SEND for which {@link #landing} found the target. */
  void receiveSend(int opcode, int bytes, int immediate, boolean solicited) {
    held.pass(source, opcode, origin, bytes, immediate, solicited);
  }

  /** Completes an RDMA WRITE with immediate; {@link #receivable} has ensured a receive WQE. */
  void receiveImmediate(int bytes, int immediate, boolean solicited) {
    held.pass(source, CqeOpcode.RESP_WR_IMM, origin, bytes, immediate, solicited);
  }
}
