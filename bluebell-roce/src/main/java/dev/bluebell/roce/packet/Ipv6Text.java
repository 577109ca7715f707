package dev.bluebell.roce.packet;

import java.math.BigInteger;

/**
 * The text of IPv6 addresses and GIDs. IPv4-mapped addresses are treated like all others; the JDK's
 * parser would turn them into four-byte addresses.
 */
final class Ipv6Text {
  private static final int GROUPS = 8;

  private Ipv6Text() {}

  static String format(BigInteger address) {
    int[] groups = new int[GROUPS];
    for (int i = 0; i < GROUPS; i++) {
      groups[i] = address.shiftRight(16 * (GROUPS - 1 - i)).intValue() & 0xffff;
    }
    int longest = 0;
    int longestAt = 0;
    for (int i = 0; i < GROUPS; i++) {
      int zeros = 0;
      while (i + zeros < GROUPS && groups[i + zeros] == 0) {
        zeros++;
      }
      if (zeros > longest) {
        longest = zeros;
        longestAt = i;
      }
    }
    if (longest < 2) {
      return join(groups, 0, GROUPS);
    }
    return join(groups, 0, longestAt) + "::" + join(groups, longestAt + longest, GROUPS);
  }

  private static String join(int[] groups, int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i++) {
      text.append(i == from ? "" : ":").append(Integer.toHexString(groups[i]));
    }
    return text.toString();
  }

  static BigInteger parse(String text) {
    int gap = text.indexOf("::");
    if (gap < 0) {
      return groups(text, text, GROUPS).value();
    }
    Groups head = groups(text, text.substring(0, gap), 0);
    Groups tail = groups(text, text.substring(gap + 2), 0);
    if (head.count + tail.count >= GROUPS) {
      throw wrong(text);
    }
    return head.value.shiftLeft(16 * (GROUPS - head.count)).or(tail.value);
  }

  private record Groups(BigInteger value, int count) {}

  /** The groups in a part of an address; {@code expected} is 0 if any number is allowed. */
  private static Groups groups(String text, String part, int expected) {
    if (part.isEmpty() && expected == 0) {
      return new Groups(BigInteger.ZERO, 0);
    }
    String[] groups = part.split(":", -1);
    if (groups.length > GROUPS || expected != 0 && groups.length != expected) {
      throw wrong(text);
    }
    BigInteger value = BigInteger.ZERO;
    for (String group : groups) {
      if (!group.matches("[0-9a-fA-F]{1,4}")) {
        throw wrong(text);
      }
      value = value.shiftLeft(16).or(BigInteger.valueOf(Integer.parseInt(group, 16)));
    }
    return new Groups(value, groups.length);
  }

  private static IllegalArgumentException wrong(String text) {
    return new IllegalArgumentException("%s is not an IPv6 address".formatted(text));
  }
}
