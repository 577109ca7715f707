package dev.bluebell.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.packages.Packages;
import org.junit.jupiter.api.Test;

/** Dependences between the packages of this module, from its classes. */
class PackagesTest {

  @Test
  void packagesHaveNoCyclicDependencies() {
    Packages packages = Packages.of(Main.class);
    assertThat(packages.names()).contains("command", "demo", "trace");
    for (String name : packages.names()) {
      assertThat(packages.reachableFrom(name)).as(name).doesNotContain(name);
    }
  }
}
