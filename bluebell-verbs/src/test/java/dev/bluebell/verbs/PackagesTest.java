package dev.bluebell.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.packages.Packages;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The dependencies between the packages of the driver. */
class PackagesTest {
  private final Packages packages = Packages.of(Device.class);

  /** So programs see interfaces and values, and {@link Driver} is all that leads to the rest. */
  @Test
  void thePublicPackageNamesNothingOfItsImplementation() {
    assertThat(packages.needsOf("")).containsExactly("value");
    assertThat(packages.needsOf("value")).isEmpty();
  }

  @Test
  void thePublicPackageHasPublicTypesOnly() throws Exception {
    assertThat(typesOfThePublicPackage())
        .hasSizeGreaterThan(100)
        .allMatch(type -> Modifier.isPublic(type.getModifiers()));
  }

  private static List<Class<?>> typesOfThePublicPackage()
      throws IOException, URISyntaxException, ClassNotFoundException {
    Path folder = Path.of(Device.class.getResource("Device.class").toURI()).getParent();
    try (Stream<Path> files = Files.list(folder)) {
      List<String> names =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".class") && !name.contains("$"))
              .filter(name -> !name.equals("package-info.class"))
              .map(name -> Device.class.getPackageName() + "." + name.replace(".class", ""))
              .toList();
      List<Class<?>> types = new ArrayList<>();
      for (String name : names) {
        types.add(Class.forName(name));
      }
      return types;
    }
  }
}
