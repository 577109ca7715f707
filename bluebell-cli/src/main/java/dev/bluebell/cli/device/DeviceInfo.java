package dev.bluebell.cli.device;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.RemoteAddressSegment;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.DeviceAttributes;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A device in the terms of {@code devinfo.c: print_hca_cap}.
 *
 * @param name of the device
 * @param attributes by label, in the order of ibv_devinfo
 * @param ports from 1
 */
record DeviceInfo(String name, List<Attribute> attributes, List<PortInfo> ports) {

  /** A line: label and value. */
  record Attribute(String label, String value) {
    static Attribute of(String label, long value) {
      return new Attribute(label, Long.toString(value));
    }
  }

  /**
   * Describes a device.
   *
   * @param capabilities what it claims beside its limits
   */
  static DeviceInfo of(Device device, List<Attribute> capabilities) {
    DeviceAttributes limits = device.attributes();
    List<Attribute> attributes =
        Stream.concat(
                Stream.of(
                    new Attribute("transport", "InfiniBand (0)"),
                    Attribute.of("phys_port_cnt", limits.ports()),
                    Attribute.of("max_qp", limits.maxQueuePairs()),
                    Attribute.of("max_qp_wr", limits.maxSendWqebbs()),
                    Attribute.of("max_sge", maxSge(limits)),
                    Attribute.of("max_cq", limits.maxCompletionQueues()),
                    Attribute.of("max_cqe", limits.maxCompletionEntries()),
                    Attribute.of("max_mr", limits.maxMemoryKeys()),
                    Attribute.of("max_pd", limits.maxProtectionDomains()),
                    Attribute.of("max_qp_rd_atom", limits.maxResponderResources()),
                    Attribute.of("max_qp_init_rd_atom", limits.maxReads()),
                    new Attribute("hca_core_clock", limits.clockKilohertz() + "kHZ")),
                capabilities.stream())
            .toList();
    List<PortInfo> ports =
        IntStream.rangeClosed(1, limits.ports())
            .mapToObj(number -> PortInfo.of(device, number))
            .toList();
    return new DeviceInfo(device.name(), attributes, ports);
  }

  /** The fewer of what a WRITE can gather and a receive can scatter to. */
  private static int maxSge(DeviceAttributes limits) {
    int longest = Math.min(limits.maxSendWqeBytes(), ControlSegment.MAX_DS * ControlSegment.BYTES);
    int head = ControlSegment.BYTES + RemoteAddressSegment.BYTES;
    return Math.min(longest - head, limits.maxReceiveWqeBytes()) / DataSegment.BYTES;
  }

  ObjectNode toJson() {
    ObjectNode object = JsonLines.object().put("hca_id", name);
    attributes.forEach(attribute -> object.put(attribute.label(), attribute.value()));
    ArrayNode list = object.putArray("ports");
    ports.forEach(port -> list.add(port.toJson()));
    return object;
  }
}
