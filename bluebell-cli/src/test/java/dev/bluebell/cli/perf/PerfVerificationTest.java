package dev.bluebell.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.cli.Cli;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** If a device loses or changes one message among thousands, the data counts as wrong. */
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
    "write-imm, DROP, 4999",
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
    "tag-send, CORRUPT, 77",
    "masked-cas, DROP, 2222",
    "masked-faa, DROP, 2222"
  })
  void oneBadMessageIsFound(String operation, String fault, int which) {
    Cli cli = run(operation, "faulty:%s:%d".formatted(fault, which));
    assertThat(cli.json()).hasSize(1);
    assertThat(cli.json().getFirst().get("dataVerified").asBoolean()).isFalse();
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err())
        .startsWith("bluebell: the data of perf %s is wrong: ".formatted(operation.split(" ")[0]));
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
