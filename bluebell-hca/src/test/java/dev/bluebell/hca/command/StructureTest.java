package dev.bluebell.hca.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.bluebell.hca.command.PrmFields.Header;
import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares every structure with the public headers, field by field. */
class StructureTest {

  private static final Map<String, Structure> STRUCTURES = PrmFields.structures();

  /**
   * The outputs that have no fields but the status are of one structure, with a name of its own.
   */
  private static final String STATUS_OUT = "status_out";

  static Stream<String> names() {
    return STRUCTURES.keySet().stream().filter(name -> !name.equals(STATUS_OUT));
  }

  static Stream<Class<?>> classes() {
    return PrmFields.classesOfFields();
  }

  @Test
  void thereAreStructuresToCheck() {
    assertThat(names().count()).isGreaterThan(160);
    assertThat(classes().count()).isGreaterThan(110);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("names")
  void everyStructureHasTheSizeOfTheHeaders(String name) {
    Structure structure = STRUCTURES.get(name);
    assertThat(8 * structure.bytes()).isEqualTo(PrmFields.bits(name));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("names")
  void everyFieldIsOneOfTheHeaders(String name) {
    Structure structure = STRUCTURES.get(name);
    List<Header> headers = PrmFields.fields(name);
    for (Field field : structure.fields()) {
      assertThat(headers)
          .as(field.toString())
          .anyMatch(
              h ->
                  h.name().equals(field.name())
                      && h.bit() == field.bit()
                      && h.width() == field.width());
    }
    for (Area area : structure.areas()) {
      assertThat(headers)
          .as(area.name())
          .anyMatch(
              h ->
                  h.name().equals(area.name())
                      && h.bit() == 8 * area.offset()
                      && h.type().equals("struct " + area.structure().name()));
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("names")
  void everyFieldThatLinuxNamesIsHere(String name) {
    Structure structure = STRUCTURES.get(name);
    boolean linux = PrmFields.isLinux(name);
    List<String> missing = new ArrayList<>();
    int checked = 0;
    for (Header header : PrmFields.fields(name)) {
      boolean plain = header.type().isEmpty() && header.width() > 0 && !header.name().contains("[");
      if (plain && (header.isLinux() || !linux)) {
        checked++;
        Optional<Field> found = resolve(structure, header.name(), 0);
        if (found.isEmpty()
            || found.get().bit() != header.bit()
            || found.get().width() != header.width()) {
          missing.add(header + " but here " + found);
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(checked).isPositive();
  }

  /** The field with a dotted name, through nested structures, at its place in the outermost one. */
  private static Optional<Field> resolve(Structure structure, String name, int base) {
    for (Field field : structure.fields()) {
      if (field.name().equals(name)) {
        return Optional.of(new Field(name, base + field.bit(), field.width()));
      }
    }
    for (Area area : structure.areas()) {
      if (name.startsWith(area.name() + ".")) {
        String rest = name.substring(area.name().length() + 1);
        Optional<Field> found = resolve(area.structure(), rest, base + 8 * area.offset());
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("classes")
  void theConstantsAreFieldsOfTheStructureUnderTheirNames(Class<?> type)
      throws IllegalAccessException {
    Structure structure = PrmFields.structure(type);
    for (java.lang.reflect.Field constant : type.getFields()) {
      assertThat(Modifier.isStatic(constant.getModifiers())).isTrue();
      if (constant.get(null) instanceof Field field) {
        assertThat(constant.getName()).isEqualTo(constantName(field.name()));
        assertThat(structure.fields()).contains(field);
      } else if (constant.get(null) instanceof Area area) {
        assertThat(constant.getName()).isEqualTo(constantName(area.name()));
        assertThat(structure.areas()).contains(area);
      }
    }
  }

  private static String constantName(String name) {
    return name.toUpperCase(Locale.ROOT).replace('.', '_');
  }

  @Test
  void commandsHaveTheOutputThatBelongsToTheirInput() {
    int checked = 0;
    for (int opcode = 0; opcode < 0x1000; opcode++) {
      Optional<CommandFormat> format = CommandFormat.of(opcode);
      if (format.isPresent()) {
        checked++;
        assertOutput(format.get());
      }
    }
    assertThat(checked).isGreaterThan(50);
  }

  private static void assertOutput(CommandFormat format) {
    String output = format.input().name().replaceFirst("_in(_|$)", "_out$1");
    assertThat(8 * format.output().bytes()).as(output).isEqualTo(PrmFields.bits(output));
    if (format.output().name().equals(STATUS_OUT)) {
      assertThat(PrmFields.fields(output))
          .extracting(Header::name, Header::bit, Header::width)
          .containsExactly(tuple("status", 0, 8), tuple("syndrome", 32, 32));
    } else {
      assertThat(format.output().name()).isEqualTo(output);
    }
  }
}
