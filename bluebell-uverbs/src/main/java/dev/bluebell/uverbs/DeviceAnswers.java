package dev.bluebell.uverbs;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.DeviceAbi.ExQueryDeviceResp;
import dev.bluebell.hca.uverbs.DeviceAbi.QueryPortRespEx;
import dev.bluebell.uverbs.device.DeviceQueries;
import java.util.HashMap;
import java.util.Map;

/**
 * Device and port attributes as rdma-core clients query them: numbers by their names in the public
 * headers. Mirrors {@code rdma/ib_user_verbs.h: ib_uverbs_ex_query_device_resp,
 * ib_uverbs_query_port_resp_ex}; fields of a nested structure are prefixed with its name and a dot,
 * as in {@code odp_caps.general_caps}, except those of {@code base} and {@code legacy_resp}.
 */
public final class DeviceAnswers {
  private DeviceAnswers() {}

  /** The device; both GUIDs are big-endian. */
  public static Map<String, Long> device(Hca hca) {
    Structure structure = ExQueryDeviceResp.STRUCTURE;
    View view = DeviceQueries.extendedDevice(hca, structure.bytes());
    Map<String, Long> numbers = numbers(view, structure);
    numbers.putAll(numbers(view.at(ExQueryDeviceResp.BASE), ExQueryDeviceResp.BASE.structure()));
    return numbers;
  }

  /**
   * A port.
   *
   * @param number from 1
   */
  public static Map<String, Long> port(Hca hca, int number) {
    View view = DeviceQueries.port(hca, number);
    Map<String, Long> numbers = numbers(view, QueryPortRespEx.STRUCTURE);
    numbers.putAll(
        numbers(view.at(QueryPortRespEx.LEGACY_RESP), QueryPortRespEx.LEGACY_RESP.structure()));
    return numbers;
  }

  private static Map<String, Long> numbers(View view, Structure structure) {
    Map<String, Long> numbers = new HashMap<>();
    for (Field field : structure.fields()) {
      if (field.bytes() <= Long.BYTES) {
        numbers.put(field.name(), view.get(field));
      }
    }
    for (Area area : structure.areas()) {
      numbers(view.at(area), area.structure())
          .forEach((name, value) -> numbers.put(area.name() + "." + name, value));
    }
    return numbers;
  }
}
