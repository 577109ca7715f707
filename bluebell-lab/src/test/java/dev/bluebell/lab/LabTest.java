package dev.bluebell.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bluebell.cli.command.CommandLines;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Commands of the lab print their results and exit with the matching code. */
class LabTest {
  /** Result of a command. */
  private record Run(int exitCode, String out) {
    List<JsonNode> json() throws JsonProcessingException {
      List<JsonNode> objects = new ArrayList<>();
      for (String line : out.lines().toList()) {
        objects.add(new ObjectMapper().readTree(line));
      }
      return objects;
    }
  }

  private static Run run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return new Run(CommandLines.run(command, args), out.toString());
  }

  @Test
  void aChainIsComparedToo() {
    assertThat(run("compare", "chain-write", "--calls", "2").out())
        .contains("Real time of a write to 3 replicas, median of 2 answered calls");
  }

  @Test
  void threeWaysOfACallAreCompared() throws JsonProcessingException {
    Run lab = run("compare", "lock", "--calls", "3", "--virtual-time");
    assertThat(lab.exitCode()).isZero();
    assertThat(lab.out())
        .containsPattern("Real time, median of 3 answered calls: .*s by the program, .*one-sided")
        .containsPattern("two-sided\\); that is 1.00 : \\d+.\\d+ : \\d+.\\d+\\.")
        .contains("the software device on this machine, and say nothing about cards")
        .contains("Virtual time of a ConnectX-5, median of 3 answered calls")
        .contains("predicted from the latencies of single verbs, not measured");

    JsonNode json =
        run("compare", "lock", "--calls", "3", "--virtual-time", "--json").json().getFirst();
    for (String way : List.of("program", "oneSided", "twoSided")) {
      assertThat(json.at("/realTime/" + way + "/medianNanos").asLong()).as(way).isPositive();
    }
    assertThat(json.at("/realTime/remark").asText()).contains("say nothing about cards");
    assertThat(json.at("/virtualTime/oneSided/medianNanos").asLong()).isEqualTo(1730);
    assertThat(json.at("/virtualTime/program/ratioToProgram").asDouble()).isEqualTo(1);
    assertThat(json.at("/virtualTime/twoSided").isMissingNode()).isTrue();
  }

  @Test
  void paperHasEachFigureBesideThePrediction() throws JsonProcessingException {
    assertThat(run("paper", "--table", "memcached").out())
        .contains("Memcached get")
        .contains("| get, 16 KiB | 10.2 | 5.70 | 0.56 | 10.3 | 1.01 |")
        .doesNotContain("List walk");
    List<JsonNode> figures = run("paper", "--table", "Hash get", "--json").json();
    assertThat(figures).hasSize(20);
    assertThat(figures.getFirst().get("figure").asText()).isEqualTo("one READ, 64 B");
    assertThat(figures.getFirst().get("predicted").asDouble()).isEqualTo(2.317);
    assertThat(figures.getFirst().has("onPaper")).isFalse();
    assertThat(figures.getLast().get("onPaperRatio").asDouble()).isBetween(1.0, 1.1);
    assertThat(figures.getLast().get("constants")).isNotEmpty();
    List<JsonNode> costs = run("paper", "--table", "costs", "--json").json();
    assertThat(costs).hasSize(32);
    assertThat(costs.getFirst().get("copies").asInt()).isEqualTo(1);
    assertThat(costs.getFirst().has("rate")).isFalse();
    assertThat(costs.getLast().get("rate").asDouble()).isPositive();
    assertThat(run("paper", "--table", "costs").out()).contains("| `if <` |");
    assertThat(run("paper", "--table", "nothing").exitCode()).isEqualTo(2);
  }
}
