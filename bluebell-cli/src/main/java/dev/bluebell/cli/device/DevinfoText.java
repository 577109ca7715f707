package dev.bluebell.cli.device;

import java.io.PrintWriter;

/** A device in the format of ibv_devinfo: indented by tabs, values in one column. */
final class DevinfoText {
  private static final int TAB = 8;
  private static final String FLAG_INDENT = "\t\t\t\t\t";

  private final PrintWriter out;

  DevinfoText(PrintWriter out) {
    this.out = out;
  }

  void print(DeviceInfo device) {
    out.println("hca_id:\t" + device.name());
    device.attributes().forEach(this::print);
    for (PortInfo port : device.ports()) {
      out.println("\t\tport:\t" + port.number());
      port.attributes().forEach(this::print);
      for (PortInfo.GidEntry entry : port.gids()) {
        print(Attribute.ofPort("GID[%3d]".formatted(entry.index()), entry.text()));
      }
      out.println();
    }
    out.flush();
  }

  private void print(Attribute line) {
    if (line.label().isEmpty()) {
      out.println();
      return;
    }
    String head = "\t".repeat(line.indent()) + line.label() + ":";
    int end = line.indent() * TAB + line.label().length() + 1;
    int tabs = Math.max(1, line.column() - end / TAB);
    out.println(line.value().isEmpty() ? head : head + "\t".repeat(tabs) + line.value());
    line.flags().forEach(flag -> out.println(FLAG_INDENT + flag));
  }
}
