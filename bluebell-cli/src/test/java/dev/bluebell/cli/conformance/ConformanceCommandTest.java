package dev.bluebell.cli.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bluebell.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** conformance runs the suite, and prints a line for each class and a report. */
class ConformanceCommandTest {
  @TempDir private Path folder;

  private JsonNode report(String... args) throws IOException {
    Path file = folder.resolve("report.json");
    String[] all = new String[args.length + 3];
    all[0] = "conformance";
    all[1] = "--json";
    all[2] = file.toString();
    System.arraycopy(args, 0, all, 3, args.length);
    Cli cli = Cli.run(all);
    assertThat(cli.exitCode()).as(cli.out() + cli.err()).isZero();
    assertThat(cli.out()).contains("The report is in " + file);
    return new ObjectMapper().readTree(Files.readString(file));
  }

  @Test
  void chosenTestsHaveALineForTheirClassAndASummary() {
    Cli cli = Cli.run("conformance", "--device", "soft:engine=poll", "--only", "AtomicTest");
    assertThat(cli.exitCode()).as(cli.out() + cli.err()).isZero();
    assertThat(cli.out())
        .startsWith("soft:engine=poll: part 4129, firmware 28.0.0000, board BLUEBELL_SOFT")
        .containsPattern("ok +AtomicTest +12 passed +\\d+\\.\\d\\d s")
        .containsPattern("12 tests in \\d+\\.\\d s: 12 passed")
        .doesNotContain("Open questions");
  }

  @Test
  void oneTestIsChosenByItsName() {
    Cli cli =
        Cli.run("conformance", "-d", "soft", "--only", "*.additionsOfTwoQueuePairsAreAllCounted");
    assertThat(cli.exitCode()).as(cli.out() + cli.err()).isZero();
    assertThat(cli.out()).contains("1 test in");
  }

  @Test
  void aTestThatDoesNotApplyIsSkippedWithItsReason() {
    Cli cli =
        Cli.run(
            "conformance",
            "--device",
            "soft:engine=poll",
            "--only",
            "CardRulesTest.nothingArrivesAtAnother*");
    assertThat(cli.exitCode()).as(cli.out() + cli.err()).isZero();
    assertThat(cli.out())
        .contains(
            "4 tests",
            "2 passed, 2 skipped",
            "skipped   2: the link layer of the port is not InfiniBand");
  }

  @Test
  void theReportHasDeviceMachineCapabilitiesAndTests() throws IOException {
    JsonNode report = report("--device", "soft:engine=poll", "--only", "AtomicTest");
    assertThat(report.at("/report").asText()).isEqualTo("bluebell conformance");
    assertThat(report.at("/bluebell").asText()).startsWith("bluebell ");
    assertThat(report.at("/machine/kernel").asText()).isNotEmpty();
    assertThat(report.at("/device/name").asText()).isEqualTo("soft:engine=poll");
    assertThat(report.at("/device/driver").asText()).isEqualTo("software");
    assertThat(report.at("/device/firmware").asText()).isEqualTo("28.0.0000");
    assertThat(report.at("/device/ports/0/link_layer").asText()).isEqualTo("Ethernet");
    assertThat(report.at("/device/capabilities/fields").get("cmd_hca_cap.log_max_qp").asInt())
        .isEqualTo(17);
    assertThat(report.at("/device/capabilities/fields").get("atomic_caps.atomic_size_qp").asInt())
        .isEqualTo(0x1c);
    assertThat(report.at("/device/capabilities/bytes/cmd_hca_cap").asText())
        .matches("([0-9a-f]{2})+[0-9a-f]{2}");
    assertThat(report.at("/summary/PASSED").asInt()).isEqualTo(12);
    assertThat(report.at("/tests")).hasSize(12);
    assertThat(report.at("/tests/0/class").asText()).isEqualTo("AtomicTest");
    assertThat(report.at("/tests/0/result").asText()).isEqualTo("PASSED");
  }

  @Test
  void theTestsPassOnAFabricThatLosesPackets() {
    Cli cli =
        Cli.run(
            "conformance",
            "--device",
            "soft:engine=poll,loss=1%,seed=1",
            "--only",
            "DataMovementTest",
            "--only",
            "UnreliableQueuePairTest");
    assertThat(cli.exitCode()).as(cli.out() + cli.err()).isZero();
  }

  @Test
  void anUnknownTestIsWrongUsage() {
    Cli cli = Cli.run("conformance", "--device", "soft", "--only", "NoSuchTest");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains("no test has the name NoSuchTest");
  }

  @Test
  void anUnknownDeviceIsNamed() {
    Cli cli = Cli.run("conformance", "--device", "nope");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains("there is no device 'nope'");
  }

  @Test
  @Tag("slow")
  void questionsArePrintedWithTheAnswersAndReported() throws IOException {
    JsonNode report = report("--device", "soft:engine=poll", "--questions");
    assertThat(report.has("tests")).isFalse();
    assertThat(report.at("/questions").size()).isGreaterThan(40);
    assertThat(report.at("/questions"))
        .allSatisfy(
            question -> {
              assertThat(question.get("device")).isEqualTo(question.get("software"));
              assertThat(question.get("differs").asBoolean()).isFalse();
            });
  }
}
