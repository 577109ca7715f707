package dev.bluebell.softnic.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.command.Capabilities.AtomicCaps;
import dev.bluebell.hca.command.Capabilities.CmdHcaCap2;
import dev.bluebell.hca.command.Capabilities.DeviceMemCap;
import dev.bluebell.hca.command.Capabilities.OdpCap;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapIn;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapOut;
import dev.bluebell.hca.command.Capabilities.RoceCap;
import dev.bluebell.hca.command.CapabilityType;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.Rig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * The page of capabilities has exactly the fields that the device reports by QUERY_HCA_CAP, with
 * their values. Another test checks that each has a test.
 */
class CapabilitiesPageTest {
  private static final Path PAGE =
      Path.of(System.getProperty("basedir", ""))
          .toAbsolutePath()
          .resolve("../docs/capabilities.md");

  /** Types that a query may name. */
  private static final int TYPES = 0x80;

  private static final String NOT_CLAIMED = "—";

  private static final Map<Integer, Structure> STRUCTURES =
      Map.of(
          CapabilityType.GENERAL, CmdHcaCap.STRUCTURE,
          CapabilityType.GENERAL_2, CmdHcaCap2.STRUCTURE,
          CapabilityType.ATOMIC, AtomicCaps.STRUCTURE,
          CapabilityType.ODP, OdpCap.STRUCTURE,
          CapabilityType.ROCE, RoceCap.STRUCTURE,
          CapabilityType.DEV_MEM, DeviceMemCap.STRUCTURE);

  /**
   * A kind of port.
   *
   * @param name what the page calls it
   * @param open opens a device with such a port
   * @param hasRoce whether it reports the capabilities of RoCE
   */
  private record Port(String name, Supplier<Rig> open, boolean hasRoce) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Port> PORTS =
      List.of(
          new Port("Ethernet", Rigs::open, true),
          new Port(
              "InfiniBand",
              () -> Rigs.open(options -> options.withLinkLayer(LinkLayer.INFINIBAND)),
              false));

  // ---- what the page says

  private static List<String> cells(String line) {
    return Arrays.stream(line.substring(1).replace("`", "").split("\\|"))
        .map(String::strip)
        .toList();
  }

  /**
   * The values of a kind of port, by structure and field; a field may occur only once. A table of
   * services has a column for each field of their structures.
   */
  private static Map<String, Long> onThePage(String port) throws IOException {
    Map<String, Long> values = new TreeMap<>();
    List<String> head = List.of();
    String section = "";
    for (String line : Files.readAllLines(PAGE)) {
      if (line.startsWith("## ")) {
        section = line.replaceFirst(".*`(\\w+)`.*", "$1");
      } else if (line.startsWith("| capability |") || line.startsWith("| service |")) {
        head = cells(line);
      } else if (line.startsWith("| `")) {
        List<String> row = cells(line);
        assertThat(row).as(line).hasSameSizeAs(head).doesNotContain("");
        String name = section + "." + row.getFirst();
        if (head.getFirst().equals("capability")) {
          add(values, name, row.get(1), port);
        } else {
          for (int i = 1; i < head.size(); i++) {
            add(values, name + "." + head.get(i), row.get(i), port);
          }
        }
      }
    }
    return values;
  }

  private static void add(Map<String, Long> values, String name, String cell, String port) {
    String[] words = cell.split(", ");
    boolean hasPort = words.length == 1 || words[1].equals(port + " only");
    if (hasPort && !cell.equals(NOT_CLAIMED)) {
      assertThat(values.put(name, Long.decode(words[0]))).as(name).isNull();
    }
  }

  // ---- what the device says

  private static Optional<View> capability(Rig rig, int type) {
    byte[] command =
        View.command(QueryHcaCapIn.STRUCTURE, CommandOpcode.QUERY_HCA_CAP)
            .set(CmdIn.OP_MOD, CapabilityType.current(type))
            .bytes();
    try {
      byte[] answer = rig.nic().execute(command);
      return Optional.of(View.over(View.over(answer).getBytes(QueryHcaCapOut.CAPABILITY)));
    } catch (HcaException refused) {
      return Optional.empty();
    }
  }

  private static void collect(
      String prefix, Structure structure, View view, Map<String, Long> values) {
    for (Field field : structure.fields()) {
      if (view.isSet(field)) {
        values.put(prefix + "." + field.name(), view.get(field));
      }
    }
    for (Area area : structure.areas()) {
      if (!isAnotherName(area, structure)) {
        collect(prefix + "." + area.name(), area.structure(), view.at(area), values);
      }
    }
  }

  /** UCX names whole areas where Linux names their parts. */
  private static boolean isAnotherName(Area area, Structure structure) {
    int end = area.offset() + area.structure().bytes();
    return structure.areas().stream()
        .anyMatch(
            part -> !part.equals(area) && part.offset() >= area.offset() && part.offset() < end);
  }

  private static Map<String, Long> onTheDevice(Port port) {
    Map<String, Long> values = new TreeMap<>();
    try (Rig rig = port.open().get()) {
      for (int type = 0; type < TYPES; type++) {
        Optional<View> answer = capability(rig, type);
        boolean isThere = type != CapabilityType.ROCE || port.hasRoce();
        Structure structure = isThere ? STRUCTURES.get(type) : null;
        assertThat(answer.isPresent())
            .as("type 0x%x", type)
            .isEqualTo(isThere && type <= CapabilityType.ADV_VIRTUALIZATION);
        if (structure == null) {
          answer.ifPresent(nothing -> assertThat(nothing.bytes()).containsOnly(0));
        } else {
          collect(structure.name(), structure, answer.orElseThrow(), values);
        }
      }
    }
    return values;
  }

  @ParameterizedTest
  @FieldSource("PORTS")
  void thePageListsTheCapabilitiesThatTheDeviceClaims(Port port) throws IOException {
    assertThat(onThePage(port.name())).isEqualTo(onTheDevice(port));
  }

  @Test
  void eachValueOfOneKindOfPortNamesAPort() throws IOException {
    assertThat(Files.readAllLines(PAGE).stream().filter(line -> line.contains(" only |")))
        .isNotEmpty()
        .allMatch(line -> PORTS.stream().anyMatch(port -> line.contains(", " + port + " only |")));
  }

  /** No field with bits of its own is left out because its structure lacks it. */
  @Test
  void everyBitThatTheDeviceSetsHasAName() {
    try (Rig rig = Rigs.open()) {
      STRUCTURES.forEach(
          (type, structure) -> {
            View answer = capability(rig, type).orElseThrow();
            clear(structure, answer);
            assertThat(answer.bytes())
                .as("bits of %s without a name", structure.name())
                .containsOnly(0);
          });
    }
  }

  private static void clear(Structure structure, View view) {
    structure.fields().forEach(field -> view.set(field, 0));
    structure.areas().forEach(area -> clear(area.structure(), view.at(area)));
  }
}
