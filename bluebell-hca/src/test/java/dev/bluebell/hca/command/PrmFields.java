package dev.bluebell.hca.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.Vectors;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.structure.Structure;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The public headers' structures, and ours. */
final class PrmFields {
  static final JsonNode FILE = Vectors.file("prm_fields");

  private PrmFields() {}

  /**
   * A field of a header.
   *
   * @param headers comma-separated, such as {@code linux,ucx}
   * @param type empty for plain numbers; {@code struct X}, {@code union X} or an array otherwise
   */
  record Header(String name, int bit, int width, String headers, String type) {
    boolean isLinux() {
      return List.of(headers.split(",")).contains("linux");
    }
  }

  static List<Header> fields(String structure) {
    return Vectors.elements(FILE.get("structures").get(structure).get("fields"))
        .map(
            f ->
                new Header(
                    f.get(0).asText(),
                    f.get(1).asInt(),
                    f.get(2).asInt(),
                    f.get(3).asText(),
                    f.size() > 4 ? f.get(4).path("type").asText("") : ""))
        .toList();
  }

  /** Size in bits: Linux's where the headers disagree. */
  static int bits(String structure) {
    JsonNode node = FILE.get("structures").get(structure);
    return node.path("bits_by_header").path("linux").asInt(node.get("bits").asInt());
  }

  static boolean isLinux(String structure) {
    return fields(structure).stream().anyMatch(Header::isLinux);
  }

  /** All structures of this package, by their names. */
  static Map<String, Structure> structures() {
    Map<String, Structure> structures = new TreeMap<>();
    for (Class<?> type : classes()) {
      for (Field field : type.getDeclaredFields()) {
        if (field.getType() == Structure.class && Modifier.isStatic(field.getModifiers())) {
          add(structures, constant(field));
        }
      }
    }
    for (int opcode = 0; opcode < 0x1000; opcode++) {
      CommandFormat.of(opcode)
          .ifPresent(
              format -> {
                add(structures, format.input());
                add(structures, format.output());
              });
    }
    return structures;
  }

  private static void add(Map<String, Structure> structures, Structure structure) {
    assertThat(structures.put(structure.name(), structure)).isIn(null, structure);
  }

  /** All classes of this package that have constants for the fields of a structure. */
  static Stream<Class<?>> classesOfFields() {
    return classes().stream()
        .filter(type -> Stream.of(type.getFields()).anyMatch(f -> f.getName().equals("STRUCTURE")));
  }

  static Structure structure(Class<?> type) {
    try {
      return constant(type.getField("STRUCTURE"));
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Structure constant(Field field) {
    try {
      field.setAccessible(true);
      return (Structure) field.get(null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<Class<?>> classes() {
    try {
      Path root = Path.of(CmdIn.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      Path folder = root.resolve(CmdIn.class.getPackageName().replace('.', '/'));
      try (Stream<Path> files = Files.list(folder)) {
        return files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(".class"))
            .<Class<?>>map(name -> load(name.substring(0, name.length() - ".class".length())))
            .toList();
      }
    } catch (IOException | URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(CmdIn.class.getPackageName() + "." + name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
