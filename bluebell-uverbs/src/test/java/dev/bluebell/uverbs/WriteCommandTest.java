package dev.bluebell.uverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The write commands by their numbers. */
class WriteCommandTest {
  @TempDir private Path scratch;

  @Test
  void commandsHaveTheNumbersOfTheHeaders() throws IOException, InterruptedException {
    Map<String, Long> expected = new HashMap<>();
    for (WriteCommand command : WriteCommand.values()) {
      boolean extended = command.name().startsWith("EX_");
      String name = "IB_USER_VERBS_%s".formatted(extended ? "EX_CMD_" : "CMD_");
      expected.put(
          name
              + command.name().substring(extended ? 3 : 0)
              + (extended ? " | IB_USER_VERBS_CMD_FLAG_EXTENDED" : ""),
          command.number() & 0xffffffffL);
    }
    assertThat(Headers.evaluate(scratch, expected.keySet())).isEqualTo(expected);
  }

  @Test
  void commandsAreFoundByTheirNumbers() {
    for (WriteCommand command : WriteCommand.values()) {
      assertThat(WriteCommand.of(command.number())).isEqualTo(command);
    }
  }
}
