package dev.bluebell.hca.structure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The layout of a structure: a command's input or output, a context in one, or a structure of the
 * kernel's interface to clients. Tables may leave out fields of the kernel's structures that
 * Bluebell does not use.
 *
 * @param name the name in the public headers; of a hardware format without {@code mlx5_ifc_} and
 *     {@code _bits}
 * @param bytes size of the fixed part
 * @param fields in the order of their first bits; some bits have two names
 * @param areas nested structures
 */
public record Structure(String name, int bytes, List<Field> fields, List<Area> areas) {

  /** Starts the definition of a big-endian structure of {@code bits} bits: a hardware format. */
  public static Definition define(String name, int bits) {
    return new Definition(name, bits / 8, false);
  }

  /**
   * Starts the definition of a little-endian structure of {@code bytes} bytes: a C structure of the
   * kernel's interface, in the byte order of the machines that Bluebell runs on.
   */
  public static Definition littleEndian(String name, int bytes) {
    return new Definition(name, bytes, true);
  }

  /** The field with this name; throws when the structure itself has none. */
  public Field field(String fieldName) {
    return fields.stream()
        .filter(field -> field.name().equals(fieldName))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("%s has no %s".formatted(name, fieldName)));
  }

  /** Collects the fields of a structure while its class is initialized. */
  public static final class Definition {
    private static final Pattern SPACES = Pattern.compile("\\s+");

    private final String name;
    private final int bytes;
    private final boolean littleEndian;
    private final List<Field> fields = new ArrayList<>();
    private final List<Area> areas = new ArrayList<>();

    private Definition(String name, int bytes, boolean littleEndian) {
      this.name = name;
      this.bytes = bytes;
      this.littleEndian = littleEndian;
    }

    /** A field at a bit offset, with a width in bits. */
    public Field field(String fieldName, int bit, int width) {
      Field field = new Field(fieldName, bit, width, littleEndian);
      fields.add(field);
      return field;
    }

    /** Adds a field that structures of one kind share. */
    public Definition with(Field field) {
      fields.add(field);
      return this;
    }

    /**
     * Adds fields that no code needs, but that text shows.
     *
     * @param table a list of {@code name@bit:width} with white space between the fields: the bit
     *     offset in hexadecimal, and the width in bits, which may be left out when it is 1
     */
    public Definition with(String table) {
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
    public Definition with(String areaName, int bit, Structure structure) {
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
      Field field = new Field(fieldName, 8 * offset, 8 * size);
      fields.add(field);
      return field;
    }

    /** A string of {@code size} bytes, at an offset in bytes. */
    public Field bytes(String fieldName, int offset, int size) {
      return field(fieldName, 8 * offset, 8 * size);
    }

    /** A named nested structure, at an offset in bytes. */
    public Area struct(String areaName, int offset, Structure structure) {
      Area area = new Area(areaName, offset, structure);
      areas.add(area);
      return area;
    }

    /** A structure whose fields become fields of this one, at an offset in bytes. */
    public Area inline(int offset, Structure structure) {
      return struct("", offset, structure);
    }

    /** Returns the defined structure. */
    public Structure structure() {
      fields.sort(Comparator.comparingInt(Field::bit));
      return new Structure(name, bytes, List.copyOf(fields), List.copyOf(areas));
    }
  }
}
