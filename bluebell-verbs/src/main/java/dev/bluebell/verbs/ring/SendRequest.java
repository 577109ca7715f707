package dev.bluebell.verbs.ring;

import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.AtomicSegment;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.RemoteAddressSegment;
import dev.bluebell.verbs.AtomicScatter;
import dev.bluebell.verbs.RequestData;
import dev.bluebell.verbs.RequestModifiers;
import dev.bluebell.verbs.RequestScatter;
import java.lang.foreign.MemorySegment;

/**
 * The stages of a request, all in one reused object. A ring has several and uses them in turn, so
 * that a stage which somebody kept from an earlier request is told from the current one.
 */
final class SendRequest implements RequestData, RequestScatter, AtomicScatter {
  private final SendRing ring;
  private final int number;

  SendRequest(SendRing ring, int number) {
    this.ring = ring;
    this.number = number;
  }

  SendRequest remote(long address, int rkey) {
    long at = ring.segment();
    Memory.putLong(at, address);
    Memory.putLong(at + 8, RemoteAddressSegment.second(rkey));
    return this;
  }

  SendRequest operands(long swapOrAdd, long compare) {
    long at = ring.segment();
    Memory.putLong(at + AtomicSegment.SWAP_ADD_OFFSET, swapOrAdd);
    Memory.putLong(at + AtomicSegment.COMPARE_OFFSET, compare);
    return this;
  }

  @Override
  public SendRequest gather(long address, int length, int lkey) {
    return data(address, length, lkey);
  }

  @Override
  public SendRequest scatter(long address, int length, int lkey) {
    return data(address, length, lkey);
  }

  @Override
  public SendRequest scatter(long address, int lkey) {
    return data(address, AtomicSegment.OPERAND_BYTES, lkey);
  }

  private SendRequest data(long address, int length, int lkey) {
    ring.check(number);
    if (length > 0) {
      long at = ring.segment();
      Memory.putLong(at, DataSegment.first(length, lkey));
      Memory.putLong(at + 8, address);
    } else if (length < 0) {
      throw ring.negativeLength(length);
    }
    return this;
  }

  @Override
  public SendRequest inline(MemorySegment source, long offset, int length) {
    ring.check(number);
    ring.inline(source, offset, length);
    return this;
  }

  @Override
  public SendRequest inline(byte[] source, int offset, int length) {
    ring.check(number);
    ring.inline(source, offset, length);
    return this;
  }

  @Override
  public RequestModifiers fence() {
    ring.check(number);
    ring.flag(ControlSegment.FENCE_SMALL_AND_FENCE);
    return this;
  }

  @Override
  public RequestModifiers solicited() {
    ring.check(number);
    ring.flag(ControlSegment.SOLICITED);
    return this;
  }

  @Override
  public void signaled(long id) {
    ring.check(number);
    ring.signaled(id);
  }

  @Override
  public void unsignaled(long id) {
    ring.check(number);
    ring.unsignaled(id);
  }
}
