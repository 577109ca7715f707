package dev.bluebell.program;

import dev.bluebell.hca.text.Counted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Consecutive bytes that one statement loads; the program declares the fields that it needs. */
public final class Loaded {
  private final String name;
  private final Data in;
  private final int most;
  private final List<Field<?>> fields = new ArrayList<>();

  Loaded(String name, Data in, int most) {
    this.name = name;
    this.in = in;
    this.most = most;
  }

  /** A little-endian number. */
  public Field<Kind.Number> number(int offset, int bytes) {
    return add(new Field<>(this, offset, bytes));
  }

  /** An address in network order, 8 bytes. */
  public Field<Kind.Pointer> pointer(int offset) {
    return add(new Field<>(this, offset, Long.BYTES));
  }

  /** Unconverted bytes. */
  public Field<Kind.Bytes> bytes(int offset, int bytes) {
    return add(new Field<>(this, offset, bytes));
  }

  private <K extends Kind> Field<K> add(Field<K> field) {
    if (field.offset() < 0 || field.bytes() < 1) {
      throw new IllegalArgumentException("%s is not a field".formatted(field));
    }
    if (field.bytes() > most - field.offset()) {
      throw new IllegalArgumentException(
          "a field of %s at offset %d ends after the %s that can be loaded from %s"
              .formatted(
                  Counted.of(field.bytes(), "byte"), field.offset(), Counted.of(most, "byte"), in));
    }
    for (Field<?> other : fields) {
      if (field.offset() < other.offset() + other.bytes()
          && other.offset() < field.offset() + field.bytes()) {
        throw new IllegalArgumentException(
            "%s and %s have bytes in common: declare each byte once, and use the Field that was returned as often as you like"
                .formatted(field, other));
      }
    }
    fields.add(field);
    fields.sort(Comparator.comparingInt(Field::offset));
    return field;
  }

  /** The fields in memory order. */
  public List<Field<?>> fields() {
    return List.copyOf(fields);
  }

  /** Bytes up to the end of the last field. */
  public int bytes() {
    return fields.isEmpty() ? 0 : fields.getLast().offset() + fields.getLast().bytes();
  }

  @Override
  public String toString() {
    return name;
  }
}
