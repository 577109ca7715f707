package dev.bluebell.softnic.rig;

/** Two raw queue pairs, connected to each other. */
public record RawPair(RawQp left, RawQp right) {

  /** Connects two queue pairs in state RST. */
  public static RawPair connect(RawQp left, RawQp right, Settings settings) {
    left.connect(right.number(), settings);
    right.connect(left.number(), settings);
    return new RawPair(left, right);
  }
}
