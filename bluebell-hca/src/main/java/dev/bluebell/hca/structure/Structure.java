package dev.bluebell.hca.structure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The layout of a structure: a command's input or output, a context in one, or a structure of the
 * kernel's interface to clients. Tables may leave out fields of the kernel's structures that
 * Bluebell does not use.
 *
 * <p>The class that defines a structure adds its fields to it while it is initialized; afterwards
 * the structure does not change.
 */
public final class Structure {
  private static final Pattern SPACES = Pattern.compile("\\s+");

  private final String name;
  private final int bytes;
  private final boolean littleEndian;
  private final List<Field> fields = new ArrayList<>();
  private final List<Area> areas = new ArrayList<>();

  private Structure(String name, int bytes, boolean littleEndian) {
    this.name = name;
    this.bytes = bytes;
    this.littleEndian = littleEndian;
  }

  /** A big-endian structure of {@code bits} bits without fields yet: a hardware format. */
  public static Structure define(String name, int bits) {
    return new Structure(name, bits / 8, false);
  }

  /**
   * A little-endian structure of {@code bytes} bytes without fields yet: a C structure of the
   * kernel's interface, in the byte order of the machines that Bluebell runs on.
   */
  public static Structure littleEndian(String name, int bytes) {
    return new Structure(name, bytes, true);
  }

  /**
   * The name in the public headers; of a hardware format without {@code mlx5_ifc_} and {@code
   * _bits}.
   */
  public String name() {
    return name;
  }

  /** Size of the fixed part. */
  public int bytes() {
    return bytes;
  }

  /** The fields in the order of their first bits; some bits have two names. */
  public List<Field> fields() {
    return Collections.unmodifiableList(fields);
  }

  /** The nested structures in the order of their offsets; some have two names. */
  public List<Area> areas() {
    return Collections.unmodifiableList(areas);
  }

  /** The field with this name; throws when the structure itself has none. */
  public Field field(String fieldName) {
    return fields.stream()
        .filter(field -> field.name().equals(fieldName))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("%s has no %s".formatted(name, fieldName)));
  }

  /** A field at a bit offset, with a width in bits. */
  public Field field(String fieldName, int bit, int width) {
    return add(new Field(fieldName, bit, width, littleEndian));
  }

  /** Adds a field that structures of one kind share. */
  public Structure with(Field field) {
    Field unused = add(field);
    return this;
  }

  /**
   * Adds fields that no code needs, but that text shows.
   *
   * @param table a list of {@code name@bit:width} with white space between the fields: the bit
   *     offset in hexadecimal, and the width in bits, which may be left out when it is 1
   */
  public Structure with(String table) {
    for (String entry : SPACES.split(table.strip())) {
      int at = entry.indexOf('@');
      int colon = entry.indexOf(':') < 0 ? entry.length() : entry.indexOf(':');
      int bit = Integer.parseInt(entry, at + 1, colon, 16);
      int width = colon == entry.length() ? 1 : Integer.parseInt(entry.substring(colon + 1));
      Field unused = field(entry.substring(0, at), bit, width);
    }
    return this;
  }

  /** Adds a nested structure that no code needs, but that text shows. */
  public Structure with(String areaName, int bit, Structure structure) {
    Area unused = area(areaName, bit, structure);
    return this;
  }

  /** A named nested structure, from a bit that starts a byte. */
  public Area area(String areaName, int bit, Structure structure) {
    return struct(areaName, bit / 8, structure);
  }

  /** A number of one byte, at an offset in bytes. */
  public Field u8(String fieldName, int offset) {
    return bytes(fieldName, offset, Byte.BYTES);
  }

  /** A number of two bytes, at an offset in bytes. */
  public Field u16(String fieldName, int offset) {
    return bytes(fieldName, offset, Short.BYTES);
  }

  /** A number of four bytes, at an offset in bytes. */
  public Field u32(String fieldName, int offset) {
    return bytes(fieldName, offset, Integer.BYTES);
  }

  /** A number of eight bytes, at an offset in bytes. */
  public Field u64(String fieldName, int offset) {
    return bytes(fieldName, offset, Long.BYTES);
  }

  /** A number in wire order, whatever the byte order of the structure, at an offset in bytes. */
  public Field bigEndian(String fieldName, int offset, int size) {
    return add(new Field(fieldName, 8 * offset, 8 * size));
  }

  /** A string of {@code size} bytes, at an offset in bytes. */
  public Field bytes(String fieldName, int offset, int size) {
    return field(fieldName, 8 * offset, 8 * size);
  }

  /** A named nested structure, at an offset in bytes. */
  public Area struct(String areaName, int offset, Structure structure) {
    Area area = new Area(areaName, offset, structure);
    areas.add(area);
    areas.sort(Comparator.comparingInt(Area::offset));
    return area;
  }

  /** A structure whose fields become fields of this one, at an offset in bytes. */
  public Area inline(int offset, Structure structure) {
    return struct("", offset, structure);
  }

  private Field add(Field field) {
    fields.add(field);
    fields.sort(Comparator.comparingInt(Field::bit));
    return field;
  }

  @Override
  public String toString() {
    return name;
  }
}
