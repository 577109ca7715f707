package dev.bluebell.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** If a device loses or changes one message among thousands, the data counts as wrong. */
@Tag("slow")
class PerfVerificationTest {
  private static final String SIZE = "32";
  private static final String ITERATIONS = "5000";

  /** The last of all messages may be the lost one, so the timeout is short. */
  @BeforeAll
  static void doNotWaitForLong() {
    System.setProperty(Stall.PATIENCE, "2");
  }

  @AfterAll
  static void waitAsUsual() {
    System.clearProperty(Stall.PATIENCE);
  }

  @ParameterizedTest(name = "{0}, {1} of message {2}")
  @CsvSource({
    "write, DROP, 0",
    "write, DROP, 4321",
    "write, CORRUPT, 1234",
    "write, MISPLACE, 1234",
    "write-imm, IMMEDIATE, 2345",
    "send, CORRUPT, 77",
    "read, DROP, 3456",
    "read, CORRUPT, 3456",
    "cas, DROP, 2222",
    "faa, DROP, 2222",
    "echo, CORRUPT, 5555",
    "echo, IMMEDIATE, 5555",
    "echo, MISPLACE, 5555",
    "write -c uc, DROP, 4321",
    "send -c uc, CORRUPT, 77",
    "send -c ud, CORRUPT, 77",
    "send --srq, CORRUPT, 1234",
    "send --srq --qp 3, CORRUPT, 1234",
    "send --srq -c ud, CORRUPT, 4321",
    "send -c dc, CORRUPT, 77",
    "read -c dc, CORRUPT, 3456",
    "send -c xrc, CORRUPT, 77",
    "tag-send, CORRUPT, 77"
  })
  void oneBadMessageIsFound(String operation, String fault, int which) {
    Cli cli = run(operation, "faulty:%s:%d".formatted(fault, which));
    assertThat(cli.json()).hasSize(1);
    assertThat(cli.json().getFirst().get("dataVerified").asBoolean()).isFalse();
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err())
        .startsWith("bluebell: the data of perf %s is wrong: ".formatted(operation.split(" ")[0]));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @CsvSource({
    "write, soft:engine=poll;fail=remote-access@3, RDMA_WRITE failed with REMOTE_ACCESS_ERROR: ",
    "write-imm, faulty:DROP:4999, nothing completed for 2 s ",
    "masked-cas, faulty:DROP:2222, NOP failed with LOCAL_QP_OPERATION_ERROR: ",
    "masked-faa, faulty:DROP:2222, NOP failed with LOCAL_QP_OPERATION_ERROR: "
  })
  void aMessageThatDoesNotCompleteIsNotCalledWrongData(
      String operation, String device, String why) {
    Cli cli = run(operation, device.replace(';', ','));
    assertThat(cli.json().getFirst().get("dataVerified").asBoolean()).isFalse();
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err()).startsWith("bluebell: perf %s failed: %s".formatted(operation, why));
  }

  @Test
  void aDeviceThatDiesCostsNeitherTheReasonNorTheReport(@TempDir Path folder) throws IOException {
    Path report = folder.resolve("report.html");
    Cli cli =
        Cli.run(
            "perf",
            "write",
            "--iters=100000",
            "--device=soft:engine=poll,fail=device@500",
            "--report=" + report);
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err()).contains("perf write failed").doesNotContain("QUERY_");
    assertThat(Files.readString(report)).contains("fail=device@500, 65536 bytes");
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aLostCompletionOfAnAddedTagEndsTheRun() {
    // 1025 is the completion queue of the added tags.
    String device = "soft:engine=poll,fail=drop-cqe@1:1025";
    Cli cli =
        Cli.run(
            "perf",
            "tag-send",
            "--latency",
            "--size",
            "64",
            "--warm-up",
            "0",
            "--iters",
            "100",
            "--device",
            device);
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err()).startsWith("bluebell: perf tag-send failed: nothing completed for 2 s ");
  }

  @Test
  void theTableSaysWhetherDataAreWrongOrNotVerified() {
    assertThat(table("soft:engine=poll,fail=remote-access@3"))
        .contains(" Data            : not verified\n");
    assertThat(table("faulty:CORRUPT:3")).contains(" Data            : WRONG\n");
  }

  private static String table(String device) {
    return Cli.run("perf", "write", "--device", device, "--warm-up", "0", "--iters", "1000").out();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "write",
        "write-imm",
        "send",
        "read",
        "cas",
        "faa",
        "masked-cas",
        "masked-faa",
        "echo",
        "send -c ud",
        "send --srq --qp 3"
      })
  void withoutABadMessageTheDataIsRight(String operation) {
    Cli cli = run(operation, "faulty:NONE:100");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.json().getFirst().get("dataVerified").asBoolean()).isTrue();
  }

  private static Cli run(String operation, String device) {
    boolean atomic = operation.endsWith("cas") || operation.endsWith("faa");
    List<String> args = new ArrayList<>(List.of("perf"));
    args.addAll(List.of(operation.split(" ")));
    args.addAll(List.of("--device", device, "--size", atomic ? "8" : SIZE));
    args.addAll(List.of("--iters", ITERATIONS, "--warm-up", "0", "--json"));
    return Cli.run(args.toArray(String[]::new));
  }
}
