package dev.bluebell.cli.perf;

import dev.bluebell.cli.tap.HcaTap;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;

/**
 * A device that handles one message wrongly. The polling thread runs it, so requests posted since
 * the last poll have not been executed, and can be changed in the ring.
 */
final class FaultyHca extends HcaTap {
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN);
  private static final long SECOND_WORD = 8;
  private static final long REMOTE_ADDRESS = 16;
  private static final long BYTES_OF_ADDRESS = 8;

  private final Fault fault;
  private final int which;
  private final Map<MemorySegment, Integer> seen = new HashMap<>();
  private int messages;

  /** What goes wrong with the message. */
  enum Fault {
    /** Nothing. */
    NONE,
    /** It is not executed, but completes as if it were. */
    DROP,
    /** Other bytes are sent. */
    CORRUPT,
    /** It is written to another message's place. */
    MISPLACE,
    /** The peer receives another immediate. */
    IMMEDIATE
  }

  /**
   * Wraps a device.
   *
   * @param which number of the affected message, from 0
   */
  FaultyHca(Hca hca, Fault fault, int which) {
    super(hca);
    this.fault = fault;
    this.which = which;
  }

  @Override
  public int progress() {
    for (MemorySegment ring : sendQueues()) {
      look(ring);
    }
    return super.progress();
  }

  private void look(MemorySegment ring) {
    int wqebbs = (int) (ring.byteSize() / ControlSegment.WQEBB_BYTES);
    int next = seen.getOrDefault(ring, 0);
    while (true) {
      long at = (long) (next & wqebbs - 1) * ControlSegment.WQEBB_BYTES;
      long first = ring.get(WORD, at);
      if (ControlSegment.ds(first) == 0 || ControlSegment.wqeIndex(first) != (next & 0xffff)) {
        break;
      }
      int opcode = ControlSegment.opcode(first);
      boolean isMessage = opcode != WqeOpcode.NOP && opcode != WqeOpcode.TAG_MATCHING;
      if (isMessage && messages++ == which) {
        damage(ring, at, first);
      }
      next += ControlSegment.wqebbs(ControlSegment.ds(first));
    }
    seen.put(ring, next);
  }

  private void damage(MemorySegment ring, long at, long first) {
    MemorySegment wqe = ring.asSlice(at, ControlSegment.WQEBB_BYTES);
    switch (fault) {
      case NONE -> {}
      case DROP -> wqe.set(WORD, 0, first & ~(0xffL << 32));
      case CORRUPT -> {
        // The request ends with its only data segment, and the segment ends with its address.
        long end = at + (long) ControlSegment.ds(first) * ControlSegment.BYTES;
        flip(ring, (end - BYTES_OF_ADDRESS) % ring.byteSize(), 8);
      }
      case MISPLACE -> flip(wqe, REMOTE_ADDRESS, 32);
      case IMMEDIATE -> flip(wqe, SECOND_WORD, 1);
    }
  }

  private static void flip(MemorySegment wqe, long at, long bits) {
    wqe.set(WORD, at, wqe.get(WORD, at) ^ bits);
  }
}
