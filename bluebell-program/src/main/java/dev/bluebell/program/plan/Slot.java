package dev.bluebell.program.plan;

/**
 * An entry by its position, for bytes that are written once all positions are known.
 *
 * @param lane its queue
 * @param index index of its first WQEBB
 */
public record Slot(Lane lane, int index) implements Block {
  /** Bytes of an entry that contain its index and the index that it waits for or enables. */
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
