package dev.bluebell.roce.packet;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A header of a packet with the values of its fields. Immutable.
 *
 * @param header the header
 * @param values of its fields, in their order, none negative or wider than its field
 */
public record Layer(Header header, List<BigInteger> values) {
  private static final int MOST_QUOTED = 60;

  /** Checks the values. */
  public Layer {
    values = List.copyOf(values);
    List<Field> fields = header.fields();
    if (values.size() != fields.size()) {
      throw new IllegalArgumentException(
          "%s has %d fields, not %d".formatted(header, fields.size(), values.size()));
    }
    for (int i = 0; i < values.size(); i++) {
      if (values.get(i).signum() < 0 || values.get(i).bitLength() > fields.get(i).bits()) {
        throw new IllegalArgumentException(
            "%s of %s has %d bits, which is too few for %s"
                .formatted(fields.get(i).name(), header, fields.get(i).bits(), values.get(i)));
      }
    }
  }

  /** Reads a header from a buffer. */
  public static Layer of(Header header, ByteBuffer buffer, int at) {
    return new Layer(
        header, header.fields().stream().map(field -> field.value(buffer, at)).toList());
  }

  /** The value of a field of this header. */
  public BigInteger value(Field field) {
    return values.get(header.fields().indexOf(field));
  }

  /** Writes the header into a buffer. */
  void put(ByteBuffer buffer, int at) {
    List<Field> fields = header.fields();
    for (int i = 0; i < fields.size(); i++) {
      fields.get(i).put(buffer, at, values.get(i));
    }
  }

  /** Its text: the header's name, and {@code name=value} for each field. */
  @Override
  public String toString() {
    List<Field> fields = header.fields();
    StringBuilder text = new StringBuilder(header.name());
    for (int i = 0; i < fields.size(); i++) {
      Field field = fields.get(i);
      text.append(' ')
          .append(field.name())
          .append('=')
          .append(field.form().text(values.get(i), field.bits()));
    }
    return text.toString();
  }

  /**
   * Reads the fields of a header from text; omitted ones are 0.
   *
   * @param words {@code name=value} each
   */
  static Layer parse(Header header, List<String> words) {
    List<BigInteger> values = new ArrayList<>();
    header.fields().forEach(field -> values.add(BigInteger.ZERO));
    for (String word : words) {
      int equals = word.indexOf('=');
      String name = equals < 0 ? word : word.substring(0, equals);
      Field field =
          header
              .field(name)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "no field is called '%s' in %s; the fields are %s"
                              .formatted(clip(name), header, names(header))));
      if (equals < 0) {
        throw new IllegalArgumentException("%s needs a value: write %s=0".formatted(name, name));
      }
      values.set(header.fields().indexOf(field), value(field, word.substring(equals + 1)));
    }
    return new Layer(header, values);
  }

  private static BigInteger value(Field field, String text) {
    try {
      return field.form().parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "'%s' is not a value of %s, such as %s"
              .formatted(clip(text), field.name(), field.form().text(BigInteger.ONE, field.bits())),
          e);
    }
  }

  /** A piece of the text, short enough to quote in an error message. */
  static String clip(String text) {
    return text.length() <= MOST_QUOTED ? text : text.substring(0, MOST_QUOTED) + "…";
  }

  private static String names(Header header) {
    return header.fields().stream().map(Field::name).collect(Collectors.joining(", "));
  }
}
