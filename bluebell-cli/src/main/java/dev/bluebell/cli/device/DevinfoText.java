package dev.bluebell.cli.device;

import java.io.PrintWriter;

/** A device as ibv_devinfo prints it: indented by tabs, values in one column. */
final class DevinfoText {
  private static final int TAB = 8;
  private static final int DEVICE_COLUMN = 5;
  private static final int PORT_COLUMN = 6;

  private final PrintWriter out;

  DevinfoText(PrintWriter out) {
    this.out = out;
  }

  void print(DeviceInfo device) {
    out.println("hca_id:\t" + device.name());
    device.attributes().forEach(line -> print(1, line.label(), DEVICE_COLUMN, line.value()));
    for (PortInfo port : device.ports()) {
      out.println("\t\tport:\t" + port.number());
      port.attributes().forEach(line -> print(3, line.label(), PORT_COLUMN, line.value()));
      for (PortInfo.GidEntry entry : port.gids()) {
        String label = "GID[%3d]".formatted(entry.index());
        print(3, label, PORT_COLUMN, "%s, %s".formatted(Ipv6Text.of(entry.gid()), entry.type()));
      }
      out.println();
    }
    out.flush();
  }

  private void print(int indent, String label, int column, String value) {
    int end = indent * TAB + label.length() + 1;
    int tabs = column - end / TAB;
    out.println("\t".repeat(indent) + label + ":" + "\t".repeat(Math.max(1, tabs)) + value);
  }
}
