package dev.bluebell.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.packages.Packages;
import org.junit.jupiter.api.Test;

/** The dependencies between the packages of this module. */
class PackagesTest {

  @Test
  void packagesHaveNoCyclicDependencies() {
    Packages packages = Packages.of(LocalSocket.class);
    assertThat(packages.names()).contains("", "remote");
    for (String name : packages.names()) {
      assertThat(packages.reachableFrom(name)).as(name).doesNotContain(name);
    }
  }
}
