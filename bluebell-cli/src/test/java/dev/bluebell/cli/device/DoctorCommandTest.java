package dev.bluebell.cli.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.cli.Cli;
import org.junit.jupiter.api.Test;

/** doctor runs all checks, and finds nothing wrong on a machine that runs this test. */
class DoctorCommandTest {
  @Test
  void everySubjectHasALine() {
    Cli cli = Cli.run("doctor");
    assertThat(cli.exitCode()).as(cli.out()).isZero();
    assertThat(cli.out())
        .contains("The software ConnectX", "rdma-core applications (bluebell run)", "Cards")
        .contains("JDK", "native access", "processors", "memory", "devices")
        .contains(
            "preload library",
            "libibverbs",
            "libmlx5",
            "runtime folder",
            "shared memory",
            "process memory",
            "seccomp",
            "/dev/shm")
        .contains("soft moves data");
  }

  @Test
  void jsonHasVerdictsAndRemedies() {
    assertThat(Cli.run("doctor", "--json").json())
        .hasSizeGreaterThan(13)
        .allSatisfy(
            line ->
                assertThat(line.fieldNames())
                    .toIterable()
                    .containsExactly("section", "subject", "verdict", "found", "remedy"));
  }
}
