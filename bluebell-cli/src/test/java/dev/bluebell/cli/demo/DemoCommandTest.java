package dev.bluebell.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.cli.Cli;
import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.cli.tap.HcaTap;
import dev.bluebell.hca.Hca;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.Device;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ExitCode;

/** The tour succeeds, and reports success only if it does. */
class DemoCommandTest {
  private static final int WIDTH = 100;

  @Test
  void everyStepOfTheTourIsRight() {
    Cli cli = Cli.run("demo");
    assertThat(cli.exitCode()).as(cli.out()).isZero();
    int steps = Tour.steps().size();
    assertThat(cli.out()).contains("%d of %d right".formatted(steps, steps));
    assertThat(cli.out().lines()).allMatch(line -> line.length() <= WIDTH);
  }

  @Test
  void theFailuresAreNotShownOnAnotherDevice() {
    Cli cli = Cli.run("demo", "--failures", "--device", "socket:/nowhere");
    assertThat(cli.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(cli.err()).contains("museum run --all --device socket:/nowhere");
  }

  @Test
  void theTourShowsCompressionStridesAndPrograms() {
    assertThat(Tour.steps())
        .extracting(Step::title)
        .contains(
            "completions compressed",
            "striding receives: many messages, one entry",
            "condition: another answer if x = 42",
            "bounded loop: all 8 elements compared",
            "unbounded loop: a break ends it in lap 64",
            "RedN's break: no completion, no further lap");
  }

  @Test
  void compressedCompletionsAreFewerEntriesThanMessages() throws InterruptedException {
    StepResult result = result("completions compressed");
    assertThat(result.complaint()).isNull();
    assertThat(result.moved()).matches("768 in [0-9]{2,3} blocks");
  }

  @Test
  void aClientSleepsWhileItsProgramRuns() throws InterruptedException {
    StepResult result = result("unbounded loop: a break ends it in lap 64");
    assertThat(result.complaint()).isNull();
    assertThat(result.moved()).endsWith(" ms of CPU");
  }

  @ParameterizedTest
  @ValueSource(strings = {"completions compressed", "relaxed order, which a fence keeps"})
  void aStepWithASoftwareDeviceOfItsOwnShowsNothingOfAnotherDevice(String title) {
    Hca card =
        new HcaTap(SoftNic.open(SoftNicOptions.DEFAULT.withEngine(EngineMode.POLL))) {
          @Override
          public String name() {
            return "mlx5_0";
          }
        };
    try (Device device = Device.over(card)) {
      Stage stage = new Stage(device);
      Step step = step(title);
      assertThatThrownBy(() -> StepResult.of(step, stage)).isInstanceOf(NeedsSoftware.class);
    }
  }

  private static Step step(String title) {
    return Tour.steps().stream()
        .filter(each -> each.title().equals(title))
        .findFirst()
        .orElseThrow();
  }

  private static StepResult result(String title) throws InterruptedException {
    try (Device device = Device.open("soft")) {
      return StepResult.of(step(title), new Stage(device));
    }
  }

  @Test
  void everyFailureIsReportedWithCodesAndReasons() {
    Cli cli = Cli.run("demo", "--failures", "--json");
    assertThat(cli.exitCode()).as(cli.out()).isZero();
    List<JsonNode> mishaps = cli.json().subList(0, cli.json().size() - 1);
    assertThat(mishaps).hasSize(Mishaps.all().size());
    assertThat(mishaps)
        .allSatisfy(
            mishap -> {
              assertThat(mishap.get("right").asBoolean()).isTrue();
              assertThat(mishap.get("findings")).isNotEmpty();
              assertThat(mishap.get("findings"))
                  .allSatisfy(finding -> assertThat(finding.get("explanations")).isNotEmpty());
            });
  }

  @Test
  void failuresAsTextNameSyndromeAndVendorCode() {
    Cli cli = Cli.run("demo", "--failures");
    assertThat(cli.exitCode()).as(cli.out()).isZero();
    assertThat(cli.out())
        .contains("REMOTE_ACCESS_ERROR, syndrome 0x13, vendor 0x88")
        .contains("LOCAL_QP_OPERATION_ERROR, syndrome 0x02, vendor 0x68")
        .contains("event WQ_ACCESS_ERROR");
    assertThat(cli.out().lines()).allMatch(line -> line.length() <= WIDTH);
  }

  @Test
  void aStepWhoseDataIsWrongIsWrong() throws InterruptedException {
    try (Device device = Device.open("soft:engine=poll")) {
      Stage stage = new Stage(device);
      Step wrong =
          new Step(
              "",
              "",
              on -> {
                Pair pair = on.pair();
                pair.left().fill(0, 64, 1);
                pair.left().expect(0, 64, 2);
                return "";
              });
      StepResult result = StepResult.of(wrong, stage);
      assertThat(result.isRight()).isFalse();
      assertThat(result.complaint()).startsWith("byte 0 of 64 is 0x");
    }
  }

  @Test
  void aMishapWithAnotherReportFails() throws InterruptedException {
    Mishap other =
        new Mishap(
            "",
            "",
            scene -> {
              throw new WorkFailed("the status is otherwise");
            });
    assertThat(other.run().isRight()).isFalse();
    assertThat(other.run().complaint()).isEqualTo("the status is otherwise");
  }
}
