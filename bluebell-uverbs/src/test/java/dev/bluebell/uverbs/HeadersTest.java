package dev.bluebell.uverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;
import dev.bluebell.hca.uverbs.Attribute;
import dev.bluebell.hca.uverbs.IoctlObject;
import dev.bluebell.hca.uverbs.Method;
import dev.bluebell.hca.uverbs.Mlx5;
import dev.bluebell.hca.uverbs.RdmaCm;
import dev.bluebell.hca.uverbs.Verbs;
import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares all definitions with the public headers of Linux, by the C compiler. */
class HeadersTest {
  /** Structures that grew at their end, with the Linux version since which they match. */
  private static final Map<String, Long> GREW =
      Map.of("mlx5_ib_query_device_resp", Headers.version(6, 8));

  /** Newer constants, with the Linux version that introduced them. */
  private static final Map<String, Long> NEW =
      Map.of(
          "MLX5_IB_QUERY_DEV_RESP_FLAGS_OOO_DP", Headers.version(6, 13),
          "MLX5_IB_MODIFY_QP_OOO_DP", Headers.version(6, 13),
          "RDMA_USER_CM_CMD_WRITE_CM_EVENT", Headers.version(6, 18));

  /** Like {@link #NEW}, for structures, and for fields by structure and name. */
  private static final Map<String, Long> NEW_PARTS =
      Map.of(
          "rdma_ucm_write_cm_event", Headers.version(6, 18),
          "rdma_ucm_event_resp.param.arg32", Headers.version(6, 18));

  /** The Linux version with which all other sizes were compared; later versions may be longer. */
  private static final long COMPARED = Headers.version(6, 8);

  @TempDir private Path scratch;

  @Test
  void fieldsStandWhereTheHeadersPutThem() throws IOException, InterruptedException {
    Map<String, Long> expected = new LinkedHashMap<>();
    long version = Headers.version(scratch);
    for (Structure structure : structures(version)) {
      structure.fields().stream()
          .filter(field -> isOf(version, structure.name() + "." + field.name()))
          .forEach(field -> expect(expected, structure, 0, field));
      for (Area area : structure.areas()) {
        if (area.name().isEmpty()) {
          area.structure()
              .fields()
              .forEach(field -> expect(expected, structure, area.offset(), field));
        } else {
          Field whole = Field.littleEndian(area.name(), area.offset(), area.structure().bytes());
          expect(expected, structure, 0, whole);
        }
      }
    }
    expectAll(expected);
  }

  private static void expect(
      Map<String, Long> expected, Structure structure, int base, Field field) {
    String type = "struct " + structure.name();
    expected.put("offsetof(%s, %s)".formatted(type, field.name()), (long) base + field.offset());
    expected.put("sizeof(((%s *) 0)->%s)".formatted(type, field.name()), (long) field.bytes());
  }

  @Test
  void structuresAreAsLongAsInTheHeaders() throws IOException, InterruptedException {
    long version = Headers.version(scratch);
    Map<String, Long> expected = new LinkedHashMap<>();
    for (Structure structure : structures(version)) {
      if (version >= GREW.getOrDefault(structure.name(), 0L)) {
        expected.put("sizeof(struct %s)".formatted(structure.name()), (long) structure.bytes());
      }
    }
    Map<String, Long> actual = Headers.evaluate(scratch, expected.keySet());
    if (version <= COMPARED) {
      assertThat(actual).isEqualTo(expected);
    } else {
      expected.forEach(
          (size, bytes) -> assertThat(actual.get(size)).as(size).isGreaterThanOrEqualTo(bytes));
    }
  }

  @Test
  void methodsAndAttributesHaveTheNumbersOfTheHeaders() throws IOException, InterruptedException {
    Map<String, Long> expected = new HashMap<>();
    for (IoctlObject object : IoctlObject.values()) {
      expected.put(object.header(), (long) object.id());
    }
    for (Method method : methods()) {
      expected.put(method.name(), (long) method.id());
      method.attributes().forEach(known -> expected.put(known.name(), (long) known.id()));
    }
    expectAll(expected);
  }

  @Test
  void constantsHaveTheValuesOfTheHeaders() throws IOException, InterruptedException {
    Map<String, Long> expected = new HashMap<>();
    Map.of(Verbs.class, "IB_UVERBS_", Mlx5.class, "MLX5_", RdmaCm.class, "RDMA_")
        .forEach(
            (type, prefix) ->
                constants(type, Integer.class)
                    .forEach((name, value) -> expected.put(prefix + name, (long) value)));
    assertThat(expected).hasSizeGreaterThan(30).containsKeys(NEW.keySet().toArray(String[]::new));
    long version = Headers.version(scratch);
    expected.keySet().removeIf(name -> version < NEW.getOrDefault(name, 0L));
    expectAll(expected);
  }

  @Test
  void rightsHaveTheValuesThatTheDevicesRightsHave() throws IOException, InterruptedException {
    expectAll(
        Map.of(
            "IB_UVERBS_ACCESS_LOCAL_WRITE", (long) HcaAccess.LOCAL_WRITE,
            "IB_UVERBS_ACCESS_REMOTE_WRITE", (long) HcaAccess.REMOTE_WRITE,
            "IB_UVERBS_ACCESS_REMOTE_READ", (long) HcaAccess.REMOTE_READ,
            "IB_UVERBS_ACCESS_REMOTE_ATOMIC", (long) HcaAccess.REMOTE_ATOMIC));
  }

  private void expectAll(Map<String, Long> expected) throws IOException, InterruptedException {
    assertThat(Headers.version(scratch)).isPositive();
    assertThat(Headers.evaluate(scratch, expected.keySet())).isEqualTo(expected);
  }

  @Test
  void constantsAreNamedAfterWhatTheyStandFor() {
    for (Class<?> type : classes("STRUCTURE")) {
      Structure structure = constant(type, "STRUCTURE", Structure.class);
      for (Field field : structure.fields()) {
        String name = field.name().substring(field.name().lastIndexOf('.') + 1);
        assertThat(constant(type, name.toUpperCase(Locale.ROOT), Field.class)).isEqualTo(field);
      }
    }
    for (Class<?> type : classes("METHOD")) {
      for (Attribute attribute : constant(type, "METHOD", Method.class).attributes()) {
        assertThat(constants(type, Attribute.class))
            .anySatisfy(
                (name, value) -> {
                  assertThat(value).isEqualTo(attribute);
                  assertThat(attribute.name()).endsWith("_" + name);
                });
      }
    }
  }

  @Test
  void fieldsLieWithinTheirStructure() {
    for (Structure structure : structures()) {
      for (Field field : structure.fields()) {
        assertThat(field.end()).as("%s", field).isLessThanOrEqualTo(structure.bytes());
      }
    }
  }

  private static List<Structure> structures(long version) {
    return structures().stream().filter(each -> isOf(version, each.name())).toList();
  }

  private static List<Structure> structures() {
    List<Structure> all =
        classes("STRUCTURE").stream()
            .map(type -> constant(type, "STRUCTURE", Structure.class))
            .toList();
    assertThat(all).hasSizeGreaterThan(70).doesNotHaveDuplicates();
    return all;
  }

  private static boolean isOf(long version, String part) {
    return version >= NEW_PARTS.getOrDefault(part, 0L);
  }

  private static List<Method> methods() {
    List<Method> all =
        classes("METHOD").stream().map(type -> constant(type, "METHOD", Method.class)).toList();
    assertThat(all).hasSizeGreaterThan(30).doesNotHaveDuplicates();
    return all;
  }

  private static <T> T constant(Class<?> type, String name, Class<T> kind) {
    Map<String, T> constants = constants(type, kind);
    assertThat(constants).as(type.getName()).containsKey(name);
    return constants.get(name);
  }

  private static <T> Map<String, T> constants(Class<?> type, Class<T> kind) {
    Map<String, T> constants = new HashMap<>();
    try {
      for (java.lang.reflect.Field field : type.getFields()) {
        if (Modifier.isStatic(field.getModifiers()) && kind.isInstance(field.get(null))) {
          constants.put(field.getName(), kind.cast(field.get(null)));
        }
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
    return constants;
  }

  /** The classes of the kernel's interface that have a constant with this name. */
  private static List<Class<?>> classes(String constant) {
    String folder = Verbs.class.getPackageName().replace('.', '/') + "/";
    try {
      Path hca = Path.of(Verbs.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      ModuleReference module = ModuleFinder.of(hca).findAll().iterator().next();
      List<Class<?>> classes = new ArrayList<>();
      try (ModuleReader reader = module.open();
          Stream<String> names = reader.list()) {
        for (String name : names.sorted().toList()) {
          if (name.startsWith(folder) && name.endsWith(".class") && !name.endsWith("-info.class")) {
            Class<?> type = Class.forName(name.replace(".class", "").replace('/', '.'));
            if (Stream.of(type.getFields()).anyMatch(f -> f.getName().equals(constant))) {
              classes.add(type);
            }
          }
        }
      }
      return classes;
    } catch (IOException | URISyntaxException | ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
