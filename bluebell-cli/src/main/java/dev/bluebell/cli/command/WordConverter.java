package dev.bluebell.cli.command;

import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads one of an enum's words, which are what its {@code toString} gives, in any case. */
final class WordConverter<E> implements ITypeConverter<E> {
  private final E[] values;

  /**
   * Reads words of a type.
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
