package dev.bluebell.cli.device;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * A line of ibv_devinfo, with the flags in the lines below it.
 *
 * @param key name in JSON
 * @param label label in ibv_devinfo; empty for a blank line
 * @param indent tabs before the label
 * @param column tab stop of the value, if there is room
 * @param value empty for a line that only has flags below it
 * @param flags names of the flags, one per line
 */
record Attribute(
    String key, String label, int indent, int column, String value, List<String> flags) {
  /** A blank line. */
  static final Attribute BLANK = new Attribute("", "", 0, 0, "", List.of());

  private static final int DEVICE_COLUMN = 5;
  private static final int PORT_INDENT = 3;
  private static final int PORT_COLUMN = 6;

  /** A line of the device. */
  static Attribute of(String label, String value) {
    return new Attribute(label, label, 1, DEVICE_COLUMN, value, List.of());
  }

  /** A line of the device. */
  static Attribute of(String label, long value) {
    return of(label, Long.toString(value));
  }

  /** A line of a port. */
  static Attribute ofPort(String label, String value) {
    return new Attribute(label, label, PORT_INDENT, PORT_COLUMN, value, List.of());
  }

  /** The same line with flags below it. */
  Attribute with(List<String> names) {
    return new Attribute(key, label, indent, column, value, names);
  }

  /** The same line with another name in JSON. */
  Attribute as(String name) {
    return new Attribute(name, label, indent, column, value, flags);
  }

  /** The same line at the position that ibv_devinfo uses. */
  Attribute at(int tabs, int stop) {
    return new Attribute(key, label, tabs, stop, value, flags);
  }

  void addTo(ObjectNode object) {
    if (label.isEmpty()) {
      return;
    }
    if (!value.isEmpty()) {
      object.put(key, value);
    }
    if (!flags.isEmpty()) {
      flags.forEach(object.withArray(value.isEmpty() ? key : key + "_names")::add);
    }
  }
}
