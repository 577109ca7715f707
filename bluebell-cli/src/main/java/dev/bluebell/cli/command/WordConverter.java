package dev.bluebell.cli.command;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads one of an enum's words, which are what its {@code toString} gives. */
public abstract class WordConverter<E extends Enum<E>> implements ITypeConverter<E> {
  private final Class<E> type;

  /** For subclasses, which picocli creates. */
  protected WordConverter(Class<E> type) {
    this.type = type;
  }

  @Override
  public final E convert(String word) {
    return Arrays.stream(type.getEnumConstants())
        .filter(value -> value.toString().equals(word.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException("choose one of %s, not '%s'".formatted(words(), word)));
  }

  private String words() {
    return Arrays.stream(type.getEnumConstants())
        .map(Enum::toString)
        .collect(Collectors.joining(", "));
  }
}
