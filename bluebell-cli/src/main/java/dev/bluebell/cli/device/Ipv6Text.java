package dev.bluebell.cli.device;

import dev.bluebell.hca.Gid;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A GID in the format of inet_ntop for IPv6 addresses: RFC 5952, with the last four bytes of mapped
 * IPv4 in decimal.
 */
final class Ipv6Text {
  private static final Pattern LEADING_ZEROS = Pattern.compile("\\b0{1,3}");
  private static final Pattern ZERO_GROUPS = Pattern.compile("\\b0(?::0)+\\b");

  private Ipv6Text() {}

  static String of(Gid gid) {
    if (gid.isIpv4()) {
      long address = gid.low();
      return "::ffff:%d.%d.%d.%d"
          .formatted(
              address >>> 24 & 0xff, address >>> 16 & 0xff, address >>> 8 & 0xff, address & 0xff);
    }
    String groups = LEADING_ZEROS.matcher(gid.toString()).replaceAll("");
    return ZERO_GROUPS
        .matcher(groups)
        .results()
        .reduce((first, next) -> next.group().length() > first.group().length() ? next : first)
        .map(longest -> compressed(groups, longest))
        .orElse(groups);
  }

  private static String compressed(String groups, MatchResult zeros) {
    String head = zeros.start() == 0 ? ":" : groups.substring(0, zeros.start());
    String tail = zeros.end() == groups.length() ? ":" : groups.substring(zeros.end());
    return head + tail;
  }
}
