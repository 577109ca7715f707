package dev.bluebell.cli.command;

import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an enum constant by its {@code toString}, ignoring case. */
final class WordConverter<E> implements ITypeConverter<E> {
  private final E[] values;

  /**
   * Creates a converter for a type.
   *
   * @param type an enum
   */
  WordConverter(Class<E> type) {
    values = type.getEnumConstants();
  }

  @Override
  public E convert(String word) {
    return Arrays.stream(values)
        .filter(value -> value.toString().equalsIgnoreCase(word))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "choose one of %s, not '%s'%s"
                        .formatted(
                            String.join(", ", words()), word, ErrorReport.guess(word, words()))));
  }

  private List<String> words() {
    return Arrays.stream(values).map(Object::toString).toList();
  }
}
