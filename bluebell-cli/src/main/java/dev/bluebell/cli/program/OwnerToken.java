package dev.bluebell.cli.program;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the token that 'bluebell program install' prints. */
final class OwnerToken implements ITypeConverter<Long> {
  @Override
  public Long convert(String text) {
    try {
      return Long.parseUnsignedLong(text, 16);
    } catch (NumberFormatException wrong) {
      throw new TypeConversionException(
          "'%s' is not a token: give up to 16 hexadecimal digits".formatted(text));
    }
  }
}
