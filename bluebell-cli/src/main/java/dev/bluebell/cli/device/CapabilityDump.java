package dev.bluebell.cli.device;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CapabilityType;
import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;
import dev.bluebell.hca.structure.View;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The current capabilities that matter to RDMA, as the device answers QUERY_HCA_CAP.
 *
 * @param answers the capabilities by structure, without the header of the answer; a type that the
 *     device refused is missing
 */
public record CapabilityDump(Map<Structure, byte[]> answers) {
  /** Queries a device. */
  public static CapabilityDump of(Hca hca) {
    Map<Structure, byte[]> answers = new LinkedHashMap<>();
    CapabilityType.ofRdma()
        .forEach(
            (type, structure) -> {
              try {
                answers.put(structure, CapabilityType.query(hca::execute, type).bytes());
              } catch (HcaException refused) {
                // An InfiniBand port has no RoCE capabilities, and older cards lack some types.
              }
            });
    return new CapabilityDump(answers);
  }

  /** Every field that Bluebell has a name for, by {@code structure.field}. */
  public Map<String, Long> numbers() {
    Map<String, Long> numbers = new LinkedHashMap<>();
    answers.forEach(
        (structure, bytes) -> addNumbers(structure.name(), structure, View.over(bytes), numbers));
    return numbers;
  }

  private static void addNumbers(
      String prefix, Structure structure, View view, Map<String, Long> numbers) {
    for (Field field : structure.fields()) {
      if (field.isNumber()) {
        numbers.put(prefix + "." + field.name(), view.get(field));
      }
    }
    for (Area area : structure.areas()) {
      addNumbers(prefix + "." + area.name(), area.structure(), view.at(area), numbers);
    }
  }

  /**
   * For reports: all fields that are not 0, and all bytes up to the last one that is not 0, in
   * which other software may find fields that Bluebell has no name for.
   */
  public ObjectNode toJson() {
    ObjectNode object = JsonLines.object();
    ObjectNode named = object.putObject("fields");
    numbers()
        .forEach(
            (name, value) -> {
              if (value != 0) {
                named.put(name, value);
              }
            });
    ObjectNode raw = object.putObject("bytes");
    answers.forEach((structure, bytes) -> raw.put(structure.name(), hex(bytes)));
    return object;
  }

  private static String hex(byte[] bytes) {
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] == 0) {
      end--;
    }
    return HexFormat.of().formatHex(Arrays.copyOf(bytes, end));
  }
}
