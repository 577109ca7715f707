package dev.bluebell.program.plan;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.QueueSegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * A number of an entry, big-endian there, which goes on with each lap of the ring.
 *
 * @param entry the entry
 * @param offset of its first byte in there
 * @param bytes its length
 * @param value in the first lap
 * @param step how much it grows with each
 */
record Count(Slot entry, int offset, int bytes, int value, int step) {
  private static final int INDEX = ControlSegment.INDEX.bit() / Byte.SIZE;

  /** Offset behind an index of a queue segment. */
  private static final int END =
      ControlSegment.BYTES + QueueSegment.MAX_INDEX.bit() / Byte.SIZE + 4;

  /** WAITs count completions in 24 bits, SEND_ENs and entries WQEBBs in 16. */
  private static final int COMPLETIONS = 3;

  private static final int WQEBBS = 2;

  /**
   * The numbers of an entry.
   *
   * @param indexed true when the device checks its own index
   * @param slots of the rings that go round; 0 of others
   * @param completions that each lap makes
   */
  static List<Count> of(
      Entry entry, boolean indexed, ToIntFunction<Lane> slots, ToIntFunction<Counter> completions) {
    Slot slot = new Slot(entry.lane(), entry.index());
    List<Count> counts = new ArrayList<>();
    if (indexed) {
      counts.add(new Count(slot, INDEX, WQEBBS, entry.index(), slots.applyAsInt(entry.lane())));
    }
    switch (entry.action()) {
      case Entry.Wait wait ->
          counts.add(
              new Count(
                  slot,
                  END - COMPLETIONS,
                  COMPLETIONS,
                  wait.completion(),
                  completions.applyAsInt(wait.counter())));
      case Entry.Enable enable when slots.applyAsInt(enable.target()) == 0 -> {}
      case Entry.Enable enable ->
          counts.add(ofLimit(slot, enable.limit(), slots.applyAsInt(enable.target())));
      case Entry.Work _, Entry.Pad _ -> {}
    }
    return counts;
  }

  /**
   * The limit of a SEND_EN.
   *
   * @param entry the SEND_EN
   * @param slots of the ring that it enables
   */
  static Count ofLimit(Slot entry, int limit, int slots) {
    return new Count(entry, END - WQEBBS, WQEBBS, limit, slots);
  }

  /** The same number, a lap later. */
  Count ofNextLap() {
    return new Count(entry, offset, bytes, value + step, step);
  }

  /**
   * The same number where the ring makes several laps in one of the program.
   *
   * @param lap of them, from 0
   * @param laps how many there are
   */
  Count ofLap(int lap, int laps) {
    return new Count(entry, offset, bytes, value + lap * step, laps * step);
  }

  /** What stands in the entry after so many laps. */
  Restored after(int laps) {
    int now = value + laps * step;
    byte[] content = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      content[bytes - 1 - i] = (byte) (now >>> i * Byte.SIZE);
    }
    return new Restored(new Span(entry, offset, bytes), content);
  }

  /** A byte of it, the lowest one first. */
  Span part(int number) {
    return new Span(entry, offset + bytes - 1 - number, 1);
  }
}
