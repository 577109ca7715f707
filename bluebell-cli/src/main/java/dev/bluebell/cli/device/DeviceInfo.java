package dev.bluebell.cli.device;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.hca.Hca;
import dev.bluebell.verbs.Device;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A device in the terms of {@code devinfo.c: print_hca_cap}.
 *
 * @param name of the device
 * @param attributes in the order of ibv_devinfo, then those for which it has no line
 * @param ports from 1
 */
record DeviceInfo(String name, List<Attribute> attributes, List<PortInfo> ports) {

  /**
   * Describes a device.
   *
   * @param hca the device under the driver
   */
  static DeviceInfo of(Device device, Hca hca) {
    List<Attribute> attributes =
        Stream.concat(VerboseLines.of(hca).stream(), Capabilities.of(hca).stream()).toList();
    List<PortInfo> ports =
        IntStream.rangeClosed(1, device.attributes().ports())
            .mapToObj(number -> PortInfo.of(device, hca, number))
            .toList();
    return new DeviceInfo(device.name(), attributes, ports);
  }

  ObjectNode toJson() {
    ObjectNode object = JsonLines.object().put("hca_id", name);
    attributes.forEach(attribute -> attribute.addTo(object));
    ports.stream().map(PortInfo::toJson).forEach(object.putArray("ports")::add);
    return object;
  }
}
