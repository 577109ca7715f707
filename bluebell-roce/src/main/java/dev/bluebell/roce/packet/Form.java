package dev.bluebell.roce.packet;

import java.math.BigInteger;
import java.util.HexFormat;

/** The text form of a field's value. Each form parses the text that it writes. */
public enum Form {
  /** {@code 0x} and as many digits as the field's bits need. */
  HEX,
  DECIMAL,
  /** Six bytes with colons between them. */
  MAC,
  /** Four decimal bytes with dots between them. */
  IPV4,
  /** As RFC 5952 has it, but always in groups of 16 bits. */
  IPV6,
  /** The name of a BTH opcode, or a number. */
  OPCODE;

  /** Of a value; more than any form needs for 128 bits. Parsing long numbers takes very long. */
  private static final int MOST_CHARACTERS = 64;

  /** The text of a value that has {@code bits} bits. */
  String text(BigInteger value, int bits) {
    return switch (this) {
      case HEX -> "0x" + digits(value, bits);
      case DECIMAL -> value.toString();
      case MAC -> HexFormat.ofDelimiter(":").formatHex(HexFormat.of().parseHex(digits(value, 48)));
      case IPV4 -> ipv4(value.intValue());
      case IPV6 -> Ipv6Text.format(value);
      case OPCODE -> BthOpcode.text(value.intValue());
    };
  }

  /**
   * Parses a text.
   *
   * @throws IllegalArgumentException when the text does not have this form
   */
  BigInteger parse(String text) {
    if (text.length() > MOST_CHARACTERS) {
      throw new IllegalArgumentException("this has too many characters");
    }
    return switch (this) {
      case HEX, DECIMAL -> number(text);
      case MAC -> new BigInteger(1, HexFormat.ofDelimiter(":").parseHex(text));
      case IPV4 -> parseIpv4(text);
      case IPV6 -> Ipv6Text.parse(text);
      case OPCODE -> {
        int opcode = BthOpcode.parse(text);
        yield opcode < 0 ? number(text) : BigInteger.valueOf(opcode);
      }
    };
  }

  private static String digits(BigInteger value, int bits) {
    String digits = value.toString(16);
    return "0".repeat((bits + 3) / 4 - digits.length()) + digits;
  }

  private static String ipv4(int address) {
    return "%d.%d.%d.%d"
        .formatted(address >>> 24, address >>> 16 & 0xff, address >>> 8 & 0xff, address & 0xff);
  }

  private static BigInteger number(String text) {
    BigInteger value =
        text.startsWith("0x") ? new BigInteger(text.substring(2), 16) : new BigInteger(text);
    if (value.signum() < 0) {
      throw new IllegalArgumentException("%s is negative".formatted(text));
    }
    return value;
  }

  private static BigInteger parseIpv4(String text) {
    String[] parts = text.split("\\.", -1);
    if (parts.length != 4) {
      throw new IllegalArgumentException("%s is not an IPv4 address".formatted(text));
    }
    long address = 0;
    for (String part : parts) {
      int value = Integer.parseInt(part);
      if (value < 0 || value > 0xff) {
        throw new IllegalArgumentException("%s is not an IPv4 address".formatted(text));
      }
      address = address << 8 | value;
    }
    return BigInteger.valueOf(address);
  }
}
