package dev.bluebell.cli.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.cli.Cli;
import dev.bluebell.program.offload.Offload;
import dev.bluebell.program.offload.Offloads;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgramCommandTest {
  @Test
  void listNamesEveryProgramWithASentence() {
    Cli cli = Cli.run("program", "list");

    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out().lines()).hasSameSizeAs(Offloads.all());
    for (Offload offload : Offloads.all()) {
      assertThat(cli.out()).contains(offload.name()).contains(offload.sentence());
    }
    assertThat(Cli.run("program", "list", "--json").json().getFirst().get("name").asText())
        .isEqualTo(Offloads.all().getFirst().name());
  }

  @Test
  void explainShowsStatementsEntriesDependencesAndCosts() {
    Cli cli = Cli.run("program", "explain", "indirect-read");

    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out())
        .contains("input offset, 8 bytes")
        .contains("loaded0 := 8 bytes of directory + offset")
        .contains("until a client calls")
        .containsPattern("client 0 is written by worker \\d")
        .containsPattern("unchecked +assumed +\\dC \\dA \\dW \\dE");
  }

  @Test
  void explainShowsTheNopsThatAConditionArms() {
    assertThat(Cli.run("program", "explain", "lock", "--unchecked", "--model", "assumed").out())
        .contains("unchecked, assumed model")
        .contains("nop→rdma_write");
  }

  @Test
  void explainHasTheSameAsJson() {
    JsonNode lock = Cli.run("program", "explain", "lock", "--json").json().getFirst();

    assertThat(lock.get("target").asText()).isEqualTo("checked");
    assertThat(lock.get("program")).isNotEmpty();
    assertThat(lock.get("wqes")).isNotEmpty();
    assertThat(lock.get("dependences")).isNotEmpty();
    assertThat(lock.get("costs")).hasSize(4);
  }

  @Test
  void runsOfAllProgramsAreRight() {
    List<String> wrong = new ArrayList<>();
    for (Offload offload : Offloads.all()) {
      for (String target : List.of("--checked", "--unchecked")) {
        Cli cli =
            Cli.run("program", "run", offload.name(), target, "--calls", "5", "--adversary", "3");
        if (cli.exitCode() != 0) {
          wrong.add(target + " " + cli.out() + cli.err());
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void aRunSaysHowManyCallsWereRight() {
    Cli cli = Cli.run("program", "run", "fetch-add", "--calls", "7");

    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out()).contains("7 of 7 calls were right, with 7 answers");
  }

  @Test
  void aRunSaysTheSameAsJson() {
    JsonNode run =
        Cli.run("program", "run", "fetch-add", "--calls", "2", "--model", "assumed", "--json")
            .json()
            .getFirst();

    assertThat(run.get("right").asInt()).isEqualTo(2);
    assertThat(run.get("wrong").asInt()).isZero();
    assertThat(run.get("wqes").asInt()).isPositive();
    assertThat(run.get("adversary").isNull()).isTrue();
    assertThat(run.get("model").asText()).isEqualTo("assumed");
  }

  @Test
  void paperHasEachFigureBesideThePrediction() {
    assertThat(Cli.run("program", "paper", "--table", "memcached").out())
        .contains("Memcached get")
        .contains("| get, 16 KiB | 10.2 | 5.70 | 0.56 | 10.3 | 1.01 |")
        .doesNotContain("List walk");
    List<JsonNode> figures = Cli.run("program", "paper", "--table", "Hash get", "--json").json();
    assertThat(figures).hasSize(20);
    assertThat(figures.getFirst().get("figure").asText()).isEqualTo("one READ, 64 B");
    assertThat(figures.getFirst().get("predicted").asDouble()).isEqualTo(2.317);
    assertThat(figures.getFirst().has("onPaper")).isFalse();
    assertThat(figures.getLast().get("onPaperRatio").asDouble()).isBetween(1.0, 1.1);
    assertThat(figures.getLast().get("constants")).isNotEmpty();
    List<JsonNode> costs = Cli.run("program", "paper", "--table", "costs", "--json").json();
    assertThat(costs).hasSize(24);
    assertThat(costs.getFirst().get("copies").asInt()).isEqualTo(1);
    assertThat(costs.getFirst().has("rate")).isFalse();
    assertThat(costs.getLast().get("rate").asDouble()).isPositive();
    assertThat(Cli.run("program", "paper", "--table", "costs").out()).contains("| `if <` |");
  }

  @Test
  void wrongUsageIsToldInOneSentence() {
    Cli unknown = Cli.run("program", "run", "nothing");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.err()).contains("there is no program nothing: 'bluebell program list'");

    Cli none = Cli.run("program", "run", "lock", "--calls", "0");
    assertThat(none.exitCode()).isEqualTo(2);
    assertThat(none.err()).contains("--calls 0: take 1 or more");

    assertThat(Cli.run("program", "run", "lock", "--checked", "--unchecked").exitCode())
        .isEqualTo(2);
    assertThat(Cli.run("program", "paper", "--table", "nothing").exitCode()).isEqualTo(2);
    assertThat(Cli.run("program").exitCode()).isEqualTo(2);
    assertThat(Cli.run("program", "explain").exitCode()).isEqualTo(2);
    assertThat(Cli.run("program", "run", "lock", "--model", "hopeful").exitCode()).isEqualTo(2);
  }
}
