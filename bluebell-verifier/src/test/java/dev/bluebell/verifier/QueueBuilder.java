package dev.bluebell.verifier;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import java.nio.ByteBuffer;

/** Writes requests into a ring, one after the other. */
final class QueueBuilder {
  final String name;
  final int qpn;
  final int peer;
  final boolean managed;
  final int logSlots;
  final int key;
  final byte[] sends;
  final byte[] receives = new byte[8 * 64];
  final int number;
  int next;
  int posted;
  long record;

  /** Fence and completion bits of the next request only. */
  private int control;

  QueueBuilder(String name, int number, int peer, boolean managed, int logSlots) {
    this.name = name;
    this.number = number;
    qpn = 0x40 + number;
    this.peer = peer;
    this.managed = managed;
    this.logSlots = logSlots;
    key = 0x1000 + number * 0x100;
    sends = new byte[64 << logSlots];
  }

  /** Address of the ring, for requests that rewrite it. */
  long address() {
    return 0x100000L * (number + 1);
  }

  long address(int index, int offset) {
    return address() + 64L * index + offset;
  }

  long receiveAddress() {
    return address() + 0x80000;
  }

  int sendCq() {
    return 2 * number + 1;
  }

  int receiveCq() {
    return 2 * number + 2;
  }

  QueueBuilder signalled() {
    control |= ControlSegment.CE_ALWAYS;
    return this;
  }

  QueueBuilder fenced() {
    control |= ControlSegment.FENCE;
    return this;
  }

  private ByteBuffer request(int opcode, int ds) {
    ByteBuffer buffer = ByteBuffer.wrap(sends, 64 * next, 64);
    buffer.putLong(ControlSegment.first(0, next, opcode, qpn, ds));
    buffer.putLong(ControlSegment.second(control, 0));
    control = 0;
    next++;
    return buffer;
  }

  /** NOPs up to the end of the ring. */
  QueueBuilder fill() {
    for (int left = (1 << logSlots) - next; left > 0; left = (1 << logSlots) - next) {
      int slots = Math.min(left, 15);
      request(WqeOpcode.NOP, 4 * slots);
      next += slots - 1;
    }
    return this;
  }

  QueueBuilder waitFor(int cqn, int completion) {
    request(WqeOpcode.WAIT, 2).putLong(0).putInt(completion).putInt(cqn);
    return this;
  }

  QueueBuilder enable(QueueBuilder target, int index) {
    request(WqeOpcode.SEND_EN, 2).putLong(0).putInt(index).putInt(target.qpn);
    return this;
  }

  QueueBuilder write(long to, int rkey, int length, long from, int lkey) {
    moves(WqeOpcode.RDMA_WRITE, to, rkey, length, from, lkey);
    return this;
  }

  /** A NOP that becomes a WRITE when its opcode is set. */
  QueueBuilder conditionalWrite(long to, int rkey, int length, long from, int lkey) {
    moves(WqeOpcode.NOP, to, rkey, length, from, lkey);
    return this;
  }

  QueueBuilder read(long from, int rkey, int length, long to, int lkey) {
    moves(WqeOpcode.RDMA_READ, from, rkey, length, to, lkey);
    return this;
  }

  private void moves(int opcode, long remote, int rkey, int length, long local, int lkey) {
    ByteBuffer buffer = request(opcode, 3);
    buffer.putLong(remote).putInt(rkey).putInt(0).putInt(length).putInt(lkey).putLong(local);
  }

  QueueBuilder compareAndSwap(long at, int rkey, long compare, long swap, long result, int lkey) {
    ByteBuffer buffer = request(WqeOpcode.ATOMIC_CS, 4);
    buffer.putLong(at).putInt(rkey).putInt(0).putLong(swap).putLong(compare);
    buffer.putInt(8).putInt(lkey).putLong(result);
    return this;
  }

  QueueBuilder fetchAndAdd(long at, int rkey, long add, long result, int lkey) {
    ByteBuffer buffer = request(WqeOpcode.ATOMIC_FA, 4);
    buffer.putLong(at).putInt(rkey).putInt(0).putLong(add).putLong(0);
    buffer.putInt(8).putInt(lkey).putLong(result);
    return this;
  }

  /** Adds to the fields of a number; the bits of a boundary are the ends of the fields. */
  QueueBuilder maskedFetchAndAdd(
      long at, int rkey, long add, long boundary, long result, int lkey) {
    ByteBuffer buffer = request(WqeOpcode.ATOMIC_MASKED_FA, 4);
    buffer.putLong(at).putInt(rkey).putInt(0).putLong(add).putLong(boundary);
    buffer.putInt(8).putInt(lkey).putLong(result);
    sends[64 * (next - 1)] = WqeForm.MASKED_ATOMIC_8;
    return this;
  }

  /** A receive entry: pairs of address and length, all of one key. */
  QueueBuilder receive(int lkey, long... pieces) {
    ByteBuffer buffer = ByteBuffer.wrap(receives, 64 * posted, 64);
    for (int i = 0; i < pieces.length; i += 2) {
      buffer.putInt((int) pieces[i + 1]).putInt(lkey).putLong(pieces[i]);
    }
    if (pieces.length < 8) {
      buffer.putInt(0).putInt(0x100).putLong(0);
    }
    posted++;
    return this;
  }
}
