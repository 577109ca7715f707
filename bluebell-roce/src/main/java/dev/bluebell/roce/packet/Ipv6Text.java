package dev.bluebell.roce.packet;

import java.math.BigInteger;
import java.net.Inet6Address;

/** The text of IPv6 addresses and GIDs, in which IPv4-mapped addresses are like all others. */
final class Ipv6Text {
  private static final int GROUPS = 8;
  private static final int IPV4_BYTES = 4;

  /** The JDK turns addresses with this prefix into those of IPv4. */
  private static final BigInteger MAPPED = BigInteger.valueOf(0xffff_0000_0000L);

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
    try {
      if (text.matches("[0-9a-fA-F]{0,4}(:[0-9a-fA-F]{0,4})+")) {
        byte[] address = Inet6Address.ofLiteral(text).getAddress();
        BigInteger value = new BigInteger(1, address);
        return address.length == IPV4_BYTES ? value.or(MAPPED) : value;
      }
    } catch (IllegalArgumentException e) {
      // The JDK's message has no better reason.
    }
    throw new IllegalArgumentException("%s is not an IPv6 address".formatted(text));
  }
}
