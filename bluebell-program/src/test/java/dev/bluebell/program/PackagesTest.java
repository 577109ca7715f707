package dev.bluebell.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.packages.Packages;
import org.junit.jupiter.api.Test;

/** Checks which packages of this module use which others. */
class PackagesTest {

  @Test
  void packagesHaveNoCyclicDependencies() {
    Packages packages = Packages.of(Program.class);
    assertThat(packages.names()).contains("plan", "compile", "install");
    for (String name : packages.names()) {
      assertThat(packages.reachableFrom(name)).as(name).doesNotContain(name);
    }
  }
}
