package dev.bluebell.cli.command;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a number of bytes, such as 65536, 64k or 1m: k, m and g are powers of 1024. */
public final class SizeConverter implements ITypeConverter<Integer> {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,10})([kKmMgG]?)");
  private static final int LOG_STEP = 10;

  @Override
  public Integer convert(String text) {
    Matcher size = SIZE.matcher(text);
    if (size.matches()) {
      int step = "kmg".indexOf(size.group(2).toLowerCase(Locale.ROOT)) + 1;
      long unit = size.group(2).isEmpty() ? 1 : 1L << LOG_STEP * step;
      long bytes = Long.parseLong(size.group(1)) * unit;
      if (bytes <= Integer.MAX_VALUE) {
        return (int) bytes;
      }
    }
    throw new TypeConversionException(
        "'%s' is not a size: give bytes, such as 65536 or 64k, below 2g".formatted(text));
  }
}
