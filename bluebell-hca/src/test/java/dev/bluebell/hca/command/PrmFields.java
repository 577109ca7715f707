package dev.bluebell.hca.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.Vectors;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.structure.Structure;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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

  /** All classes of this package that define a structure, by the structure's name. */
  static Map<String, Class<?>> classes() {
    try {
      Path root = Path.of(CmdIn.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      Path folder = root.resolve(CmdIn.class.getPackageName().replace('.', '/'));
      try (Stream<Path> files = Files.list(folder)) {
        return files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(".class"))
            .map(name -> load(name.substring(0, name.length() - ".class".length())))
            .filter(PrmFields::definesStructure)
            .collect(Collectors.toMap(type -> structure(type).name(), type -> type));
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

  private static boolean definesStructure(Class<?> type) {
    return Stream.of(type.getDeclaredFields())
        .anyMatch(f -> f.getType() == Structure.class && Modifier.isStatic(f.getModifiers()));
  }

  static Structure structure(Class<?> type) {
    try {
      return (Structure) type.getField("STRUCTURE").get(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
