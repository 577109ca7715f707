package dev.bluebell.uverbs.abi;

import java.util.ArrayList;
import java.util.List;

/**
 * The layout of a structure that clients and the kernel exchange. Fields that neither side of this
 * device has a use for may be left out.
 *
 * @param name the name in the public headers
 * @param bytes size, without a list that may follow
 * @param fields in the order of the headers
 * @param areas nested structures
 */
public record Structure(String name, int bytes, List<Field> fields, List<Area> areas) {

  /** Starts the definition of a structure of {@code bytes} bytes. */
  public static Definition define(String name, int bytes) {
    return new Definition(name, bytes);
  }

  /** Collects the fields of a structure while its class is initialized. */
  public static final class Definition {
    private final String name;
    private final int bytes;
    private final List<Field> fields = new ArrayList<>();
    private final List<Area> areas = new ArrayList<>();

    private Definition(String name, int bytes) {
      this.name = name;
      this.bytes = bytes;
    }

    public Field u8(String fieldName, int offset) {
      return bytes(fieldName, offset, Byte.BYTES);
    }

    public Field u16(String fieldName, int offset) {
      return bytes(fieldName, offset, Short.BYTES);
    }

    public Field u32(String fieldName, int offset) {
      return bytes(fieldName, offset, Integer.BYTES);
    }

    public Field u64(String fieldName, int offset) {
      return bytes(fieldName, offset, Long.BYTES);
    }

    /** A string of {@code size} bytes. */
    public Field bytes(String fieldName, int offset, int size) {
      Field field = new Field(fieldName, offset, size);
      fields.add(field);
      return field;
    }

    /** A structure with a name of its own inside this one. */
    public Area area(String areaName, int offset, Structure structure) {
      Area area = new Area(areaName, offset, structure);
      areas.add(area);
      return area;
    }

    /** The fields of a structure, which this one has as its own. */
    public Area inline(int offset, Structure structure) {
      return area("", offset, structure);
    }

    public Structure structure() {
      return new Structure(name, bytes, List.copyOf(fields), List.copyOf(areas));
    }
  }
}
