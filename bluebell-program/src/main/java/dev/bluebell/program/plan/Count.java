package dev.bluebell.program.plan;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.QueueSegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * A big-endian number in an entry, which grows with each lap of the ring.
 *
 * @param entry the entry
 * @param offset offset of its first byte in the entry
 * @param bytes its length
 * @param value value in the first lap
 * @param step growth per lap
 */
record Count(Slot entry, int offset, int bytes, int value, int step) {
  private static final int INDEX = ControlSegment.INDEX.bit() / Byte.SIZE;

  /** Offset of the end of the index in a queue segment. */
  private static final int END =
      ControlSegment.BYTES + QueueSegment.MAX_INDEX.bit() / Byte.SIZE + 4;

  /** WAITs count completions in 24 bits; SEND_ENs and entries count WQEBBs in 16. */
  private static final int COMPLETIONS = 3;

  private static final int WQEBBS = 2;

  /**
   * The numbers of an entry.
   *
   * @param indexed true when the device checks the index of the entry
   * @param slots number of slots of rings that wrap; 0 for other rings
   * @param completions number of completions per lap
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
   * @param slots number of slots of the ring that it enables
   */
  static Count ofLimit(Slot entry, int limit, int slots) {
    return new Count(entry, END - WQEBBS, WQEBBS, limit, slots);
  }

  /** The same number, a lap later. */
  Count ofNextLap() {
    return new Count(entry, offset, bytes, value + step, step);
  }

  /**
   * The same number, when the ring makes several laps per lap of the program.
   *
   * @param lap number of the lap among these, from 0
   * @param laps number of these laps
   */
  Count ofLap(int lap, int laps) {
    return new Count(entry, offset, bytes, value + lap * step, laps * step);
  }

  /** The bytes of the entry after {@code laps} laps. */
  Restored after(int laps) {
    byte[] now = ByteBuffer.allocate(Integer.BYTES).putInt(value + laps * step).array();
    byte[] content = Arrays.copyOfRange(now, Integer.BYTES - bytes, Integer.BYTES);
    return new Restored(new Span(entry, offset, bytes), content);
  }

  /** A byte of it, from the lowest one. */
  Span part(int number) {
    return new Span(entry, offset + bytes - 1 - number, 1);
  }
}
