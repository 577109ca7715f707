package dev.bluebell.cli.device;

import dev.bluebell.hca.Gid;

/**
 * A GID in the format of inet_ntop for IPv6 addresses: RFC 5952, with the last four bytes of mapped
 * IPv4 in decimal.
 */
final class Ipv6Text {
  private static final int GROUPS = 8;
  private static final long IPV4_PREFIX = 0xffff;

  private Ipv6Text() {}

  static String of(Gid gid) {
    if (gid.high() == 0 && gid.low() >>> 32 == IPV4_PREFIX) {
      long address = gid.low();
      return "::ffff:%d.%d.%d.%d"
          .formatted(
              address >>> 24 & 0xff, address >>> 16 & 0xff, address >>> 8 & 0xff, address & 0xff);
    }
    int[] groups = new int[GROUPS];
    for (int i = 0; i < GROUPS; i++) {
      long half = i < GROUPS / 2 ? gid.high() : gid.low();
      groups[i] = (int) (half >>> 48 - 16 * (i % (GROUPS / 2))) & 0xffff;
    }
    return compressed(groups);
  }

  /** Replaces the longest run of zeros, the first of several, by two colons. */
  private static String compressed(int[] groups) {
    int start = 0;
    int length = 0;
    for (int i = 0; i < GROUPS; i++) {
      int run = 0;
      while (i + run < GROUPS && groups[i + run] == 0) {
        run++;
      }
      if (run > length) {
        start = i;
        length = run;
      }
    }
    if (length < 2) {
      return joined(groups, 0, GROUPS);
    }
    return joined(groups, 0, start) + "::" + joined(groups, start + length, GROUPS);
  }

  private static String joined(int[] groups, int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i++) {
      text.append(i == from ? "" : ":").append(Integer.toHexString(groups[i]));
    }
    return text.toString();
  }
}
