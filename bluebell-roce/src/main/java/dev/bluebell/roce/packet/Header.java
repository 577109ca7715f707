package dev.bluebell.roce.packet;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** A header: its name and its fields, which are contiguous and cover all bits. */
public final class Header {
  private final String name;
  private final List<Field> fields = new ArrayList<>();
  private int bits;

  /** An empty header, to which the defining class adds fields. */
  Header(String name) {
    this.name = name;
  }

  /** Appends a field. */
  Field field(String fieldName, int width, Form form) {
    Field field = new Field(fieldName, bits, width, form);
    fields.add(field);
    bits += width;
    return field;
  }

  /** Appends a field that is written in hexadecimal. */
  Field hex(String fieldName, int width) {
    return field(fieldName, width, Form.HEX);
  }

  /** Appends a field that is written in decimal. */
  Field decimal(String fieldName, int width) {
    return field(fieldName, width, Form.DECIMAL);
  }

  /** Its name in text, such as {@code bth}. */
  public String name() {
    return name;
  }

  /** Its size in bytes. */
  public int bytes() {
    return bits >>> 3;
  }

  /** Its fields in wire order. */
  public List<Field> fields() {
    return Collections.unmodifiableList(fields);
  }

  /** The field with a name. */
  public Optional<Field> field(String fieldName) {
    return fields.stream().filter(field -> field.name().equals(fieldName)).findFirst();
  }

  @Override
  public String toString() {
    return name;
  }
}
