package dev.bluebell.cli;

import static java.util.Map.entry;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * Dependences between the modules are as in docs/architecture.md. The compiler lets a module use
 * only what its descriptor requires, so checking the descriptors is enough. The test is in this
 * module because it may depend on all others.
 */
class ModuleDirectionsTest {
  private static final String OURS = "dev.bluebell.";

  private static final Map<String, Set<String>> ALLOWED =
      Map.ofEntries(
          entry("hca", Set.of()),
          entry("roce", Set.of()),
          entry("verbs", Set.of("hca")),
          entry("softnic", Set.of("hca", "roce")),
          entry("devx", Set.of("hca")),
          entry("server", Set.of("hca")),
          entry("uverbs", Set.of("hca", "roce", "server")),
          entry("program", Set.of("hca", "verbs")),
          entry("verifier", Set.of("hca", "program")),
          entry("report", Set.of("hca")),
          entry("test", Set.of("hca", "verbs", "softnic", "report")),
          entry("micrometer", Set.of("hca", "verbs")),
          entry("connect", Set.of("verbs")),
          entry("conformance", Set.of("hca", "verbs")),
          entry(
              "cli",
              Set.of(
                  "hca",
                  "verbs",
                  "softnic",
                  "devx",
                  "server",
                  "uverbs",
                  "program",
                  "verifier",
                  "roce",
                  "report",
                  "connect",
                  "conformance")));

  private static final Map<String, ModuleDescriptor> FOUND = ourModules();

  @Test
  void everyModuleOfTheTableHasADescriptorAndNoOtherHas() {
    assertThat(FOUND.keySet()).isEqualTo(ALLOWED.keySet());
  }

  @Test
  void everyModuleRequiresOnlyWhatTheTableAllows() {
    FOUND.forEach(
        (name, descriptor) ->
            assertThat(names(descriptor, module -> module.startsWith(OURS)))
                .as("Bluebell modules that %s requires", name)
                .isSubsetOf(ALLOWED.get(name)));
  }

  @Test
  void theDriverAndTheFormatsNeedOnlyTheJdkAtRunTime() {
    for (String library : Set.of("hca", "roce", "verbs", "connect")) {
      assertThat(names(FOUND.get(library), module -> !module.startsWith(OURS)))
          .as("foreign modules that %s requires", library)
          .allMatch(module -> module.startsWith("java.") || module.startsWith("jdk."));
    }
  }

  private static Set<String> names(ModuleDescriptor descriptor, Predicate<String> kind) {
    return descriptor.requires().stream()
        .filter(
            required -> !required.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC))
        .map(ModuleDescriptor.Requires::name)
        .filter(kind)
        .map(ModuleDirectionsTest::shortName)
        .collect(toSet());
  }

  private static Map<String, ModuleDescriptor> ourModules() {
    Path[] classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> entry.contains("bluebell-"))
            .map(Path::of)
            .toArray(Path[]::new);
    return ModuleFinder.of(classPath).findAll().stream()
        .map(ModuleReference::descriptor)
        .filter(module -> module.name().startsWith(OURS))
        .collect(toMap(module -> shortName(module.name()), module -> module));
  }

  private static String shortName(String module) {
    return module.startsWith(OURS) ? module.substring(OURS.length()) : module;
  }
}
