package dev.bluebell.cli.perf;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.cli.Cli;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One message that a device loses or changes, among thousands, makes the data count as wrong. */
class PerfVerificationTest {
  private static final String SIZE = "32";
  private static final String ITERATIONS = "5000";

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
    "echo, MISPLACE, 5555"
  })
  void oneBadMessageIsFound(String operation, String fault, int which) {
    Cli cli = run(operation, "faulty:%s:%d".formatted(fault, which));
    assertThat(cli.json()).hasSize(1);
    assertThat(cli.json().getFirst().get("dataVerified").asBoolean()).isFalse();
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err()).startsWith("bluebell: the data of perf " + operation + " is wrong: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"write", "write-imm", "send", "read", "cas", "faa", "echo"})
  void withoutABadMessageTheDataIsRight(String operation) {
    Cli cli = run(operation, "faulty:NONE:100");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.json().getFirst().get("dataVerified").asBoolean()).isTrue();
  }

  private static Cli run(String operation, String device) {
    boolean atomic = operation.equals("cas") || operation.equals("faa");
    return Cli.run(
        "perf",
        operation,
        "--device",
        device,
        "--size",
        atomic ? "8" : SIZE,
        "--iters",
        ITERATIONS,
        "--warm-up",
        "0",
        "--json");
  }
}
