package dev.bluebell.cli.paste;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A line of a dump.
 *
 * @param number of the line, from 1
 * @param address the first column; null when it can't be told from data
 * @param style how the address is written
 * @param groups of digits, without {@code 0x}
 * @param characters the column after the data; empty without one
 * @param prefix the text before the row, with a 0 for each number; rows of one dump have the same
 */
record Row(
    int number,
    @Nullable String address,
    Style style,
    List<String> groups,
    String characters,
    String prefix) {

  /** The style of a dump's addresses. */
  enum Style {
    /** No address, or one that looks like data. */
    NONE,
    /** {@code 00000010:} as printed by xxd and the kernel. */
    COLON,
    /** {@code 0x7fff1234 <name+16>:} as printed by debuggers. */
    DEBUGGER,
    /** {@code 0000020}, wider or narrower than the groups, as printed by od and hexdump. */
    BARE
  }

  /** The meaning of groups of digits. */
  enum Digits {
    /** In the order of memory. */
    BYTES,
    /** Each group is an integer of a little-endian host. */
    HOST_WORDS,
    /** Each group is an octal integer of a little-endian host, of one or two bytes. */
    OCTAL_WORDS;

    /** Number of bytes in a group of {@code width} digits. */
    int bytesOf(int width) {
      return this == OCTAL_WORDS ? width / 3 : width / 2;
    }
  }

  /** Width of the first group in digits. */
  int width() {
    return groups.getFirst().length();
  }

  /** The address as a number in a radix; empty if there is none, or if it has other digits. */
  OptionalLong address(int radix) {
    String text = address;
    if (text == null) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Long.parseUnsignedLong(text, radix));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  /** The same row with its first group as address. */
  Row withFirstAsAddress() {
    return new Row(
        number,
        groups.getFirst(),
        Style.BARE,
        groups.subList(1, groups.size()),
        characters,
        prefix);
  }

  /** The same row with the groups of a line that continues it. */
  Row with(Row continuation) {
    List<String> both = new ArrayList<>(groups);
    both.addAll(continuation.groups);
    return new Row(number, address, style, both, continuation.characters, prefix);
  }

  /** The same row behind a prefix. */
  Row behind(String text) {
    return new Row(number, address, style, groups, characters, text);
  }

  /** Number of bytes in the groups. */
  int size(Digits digits) {
    return groups.stream().mapToInt(group -> digits.bytesOf(group.length())).sum();
  }

  /** Writes the bytes to {@code to}, from {@code at} on. */
  void copy(Digits digits, byte[] to, int at) {
    int place = at;
    for (String group : groups) {
      byte[] bytes = bytes(group, digits);
      System.arraycopy(bytes, 0, to, place, bytes.length);
      place += bytes.length;
    }
  }

  private static byte[] bytes(String group, Digits digits) {
    if (digits == Digits.OCTAL_WORDS) {
      int value = Integer.parseInt(group, 8);
      byte[] bytes = new byte[digits.bytesOf(group.length())];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) (value >>> 8 * i);
      }
      return bytes;
    }
    byte[] bytes = HexFormat.of().parseHex(group);
    if (digits == Digits.HOST_WORDS) {
      reverse(bytes);
    }
    return bytes;
  }

  private static void reverse(byte[] bytes) {
    for (int i = 0, j = bytes.length - 1; i < j; i++, j--) {
      byte first = bytes[i];
      bytes[i] = bytes[j];
      bytes[j] = first;
    }
  }

  /** True unless there are characters that differ from the bytes. */
  boolean fits(Digits digits) {
    byte[] bytes = new byte[size(digits)];
    if (characters.length() != bytes.length) {
      return true;
    }
    copy(digits, bytes, 0);
    for (int i = 0; i < bytes.length; i++) {
      char shown = characters.charAt(i);
      if (shown != '.' && shown != (char) (bytes[i] & 0xff)) {
        return false;
      }
    }
    return true;
  }
}
