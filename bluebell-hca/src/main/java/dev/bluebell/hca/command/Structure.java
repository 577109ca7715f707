package dev.bluebell.hca.command;

import java.util.ArrayList;
import java.util.List;

/**
 * The layout of a PRM structure: a command's input or output, or a context inside one.
 *
 * @param name the name in the public headers, without {@code mlx5_ifc_} and {@code _bits}
 * @param bytes size of the fixed part
 * @param fields in the order of the headers; some bits have two names
 * @param areas nested structures
 */
public record Structure(String name, int bytes, List<Field> fields, List<Area> areas) {

  /** Starts the definition of a structure of {@code bits} bits. */
  static Definition define(String name, int bits) {
    return new Definition(name, bits);
  }

  /** Collects the fields of a structure while its class is initialized. */
  static final class Definition {
    private final String name;
    private final int bits;
    private final List<Field> fields = new ArrayList<>();
    private final List<Area> areas = new ArrayList<>();

    private Definition(String name, int bits) {
      this.name = name;
      this.bits = bits;
    }

    Field field(String fieldName, int bit, int width) {
      Field field = new Field(fieldName, bit, width);
      fields.add(field);
      return field;
    }

    Area area(String areaName, int bit, Structure structure) {
      Area area = new Area(areaName, bit / 8, structure);
      areas.add(area);
      return area;
    }

    Structure structure() {
      return new Structure(name, bits / 8, List.copyOf(fields), List.copyOf(areas));
    }
  }
}
