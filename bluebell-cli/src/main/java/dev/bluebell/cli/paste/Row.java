package dev.bluebell.cli.paste;

import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A line of a dump.
 *
 * @param number of the line, from 1
 * @param address the column in front; null when nothing tells it from data
 * @param style how the address is written
 * @param groups of digits, without {@code 0x}
 * @param characters the column behind; empty without one
 */
record Row(
    int number, @Nullable String address, Style style, List<String> groups, String characters) {

  /** How a dump's addresses look. */
  enum Style {
    /** There is none, or it looks as the data do. */
    NONE,
    /** {@code 00000010:} as xxd and the kernel have it. */
    COLON,
    /** {@code 0x7fff1234 <name+16>:} as a debugger has it. */
    DEBUGGER,
    /** {@code 0000020}, wider or shorter than the groups, as od and hexdump have it. */
    BARE
  }

  /** How digits stand for bytes. */
  enum Digits {
    /** In the order of memory. */
    BYTES,
    /** Each group is an integer of a little-endian host. */
    HOST_WORDS,
    /** Each group is an octal integer of a little-endian host, of one or two bytes. */
    OCTAL_WORDS;

    /** How many bytes a group of so many digits stands for. */
    int bytesOf(int width) {
      return this == OCTAL_WORDS ? width / 3 : width / 2;
    }
  }

  /** Digits of the first group. */
  int width() {
    return groups.getFirst().length();
  }

  /** The address as a number of a radix; empty without one, or when its digits are others. */
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

  /** The row when its first group is its address. */
  Row withFirstAsAddress() {
    return new Row(
        number, groups.getFirst(), Style.BARE, groups.subList(1, groups.size()), characters);
  }

  /** How many bytes the groups stand for. */
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

  /** False when the characters are there and are not those of the bytes. */
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
