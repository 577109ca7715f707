package dev.bluebell.cli.wire;

import dev.bluebell.roce.packet.PacketView;

/** What can be said of a packet's ICRC. */
public enum IcrcVerdict {
  GOOD,
  WRONG,
  /** The packet was captured in part, or has none. */
  ABSENT;

  /** The verdict on a packet. */
  public static IcrcVerdict of(PacketView packet) {
    return !packet.hasIcrc() ? ABSENT : packet.isIcrcGood() ? GOOD : WRONG;
  }

  /** In a word, as in JSON. */
  public String word() {
    return switch (this) {
      case GOOD -> "good";
      case WRONG -> "wrong";
      case ABSENT -> "absent";
    };
  }
}
