package dev.bluebell.program.plan;

/**
 * An entry by its place, for what is written when all places are known.
 *
 * @param lane its queue
 * @param index of its first WQEBB
 */
public record Slot(Lane lane, int index) implements Block {
  /** Bytes of an entry that hold its index and what it waits for or enables. */
  private static final int BYTES = 32;

  @Override
  public String name() {
    return "%s[%d]".formatted(lane.text(), index);
  }

  @Override
  public int bytes() {
    return BYTES;
  }
}
