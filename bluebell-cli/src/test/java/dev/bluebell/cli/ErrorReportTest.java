package dev.bluebell.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Errors are one sentence, and the exit code tells whose fault they are. */
class ErrorReportTest {
  @Test
  void aMissingCommandIsWrongUsage() {
    Cli cli = Cli.run();
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).startsWith("bluebell: a command is missing");
  }

  @Test
  void anUnknownOptionIsWrongUsage() {
    Cli cli = Cli.run("devinfo", "--nonsense");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).startsWith("bluebell: Unknown option: '--nonsense'");
  }

  @Test
  void workThatFailsHasOneSentenceAndNoStackTrace() {
    Cli cli = Cli.run("devinfo", "--device", "nope");
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err().lines())
        .containsExactly("bluebell: there is no device 'nope': choose one of soft");
  }

  @Test
  void theStackTraceIsThereForWhoAsks() {
    Cli cli = Cli.run("devinfo", "--device", "nope", "--verbose");
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err()).contains("java.lang.IllegalArgumentException", "\tat dev.bluebell.");
  }

  @Test
  void mutuallyExclusiveOptionsAreWrongUsage() {
    Cli cli = Cli.run("decode", "--wqe", "--cqe", "00");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).startsWith("bluebell: --wqe, --cqe are mutually exclusive");
  }

  @Test
  void helpListsEveryCommand() {
    Cli cli = Cli.run("--help");
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out())
        .contains("demo", "devinfo", "perf", "decode", "encode", "vectors", "doctor");
  }

  @Test
  void theVersionIsThatOfTheBuild() {
    Cli cli = Cli.run("--version");
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out()).containsPattern("bluebell \\d+\\.\\d+\\.\\d+").doesNotContain("${");
  }
}
