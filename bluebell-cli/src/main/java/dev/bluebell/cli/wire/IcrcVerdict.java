package dev.bluebell.cli.wire;

import dev.bluebell.roce.packet.PacketView;

/** The result of checking a packet's ICRC. */
public enum IcrcVerdict {
  GOOD,
  WRONG,
  /** The packet was captured only in part, or has no ICRC. */
  ABSENT;

  /** Checks a packet. */
  public static IcrcVerdict of(PacketView packet) {
    return !packet.hasIcrc() ? ABSENT : packet.isIcrcGood() ? GOOD : WRONG;
  }

  /** The verdict as one word, also used in JSON. */
  public String word() {
    return switch (this) {
      case GOOD -> "good";
      case WRONG -> "wrong";
      case ABSENT -> "absent";
    };
  }
}
