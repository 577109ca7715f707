package dev.bluebell.packages;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The dependencies between the packages of a module. Each module with main classes runs it. */
class PackageCirclesTest {

  @Test
  void noPackagesFormACircle() {
    Path classes = Path.of(System.getProperty("basedir", "")).resolve("target/classes");
    Packages packages = Packages.in(classes, "dev.bluebell");
    assertThat(packages.names()).isNotEmpty();
    for (String name : packages.names()) {
      assertThat(packages.reachableFrom(name)).as(name).doesNotContain(name);
    }
  }
}
