package dev.bluebell.cli.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.cli.Cli;
import dev.bluebell.program.offload.Offload;
import dev.bluebell.program.offload.Offloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.xml.sax.SAXException;

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
        .containsPattern("unchecked +assumed +\\dC \\+ \\dA \\+ \\dE");
  }

  @Test
  void explainShowsTheNopsThatAConditionArms() {
    assertThat(Cli.run("program", "explain", "lock", "--unchecked", "--model", "assumed").out())
        .contains("unchecked, assumed model")
        .contains("nop→send");
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
  void explainDrawsEveryEntryAndEveryPair(@TempDir Path folder)
      throws IOException, ParserConfigurationException, SAXException {
    for (Offload offload : Offloads.all()) {
      Path file = folder.resolve(offload.name() + ".svg");
      Cli cli = Cli.run("program", "explain", offload.name(), "--svg", file.toString(), "--json");
      assertThat(cli.exitCode()).as(cli.err()).isZero();
      Document svg =
          DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(file.toFile());
      long entries =
          cli.json()
              .getFirst()
              .get("wqes")
              .valueStream()
              .filter(line -> !line.asText().startsWith("call"))
              .count();
      // The call and the background are rectangles, too.
      assertThat(svg.getElementsByTagName("rect").getLength()).isEqualTo((int) entries + 2);
      assertThat(Files.readString(file)).contains("marker-end=\"url(#enables)\"");
    }
    assertThat(
            Cli.run(
                    "program",
                    "explain",
                    "lock",
                    "--svg",
                    folder.resolve("no/where.svg").toString())
                .err())
        .contains("can't be written");
  }

  @Test
  @Tag("slow")
  void runsOfAllProgramsAreRight() {
    List<String> wrong = new ArrayList<>();
    for (Offload offload : Offloads.all()) {
      for (String target : List.of("", " --unchecked")) {
        String words = "program run %s --calls 5 --adversary 3%s".formatted(offload.name(), target);
        Cli cli = Cli.run(words.split(" "));
        if (cli.exitCode() != 0) {
          wrong.add(words + ": " + cli.out() + cli.err());
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void aRunSaysHowManyCallsWereRight() {
    Cli cli = Cli.run("program", "run", "fetch-add", "--calls", "7");

    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out())
        .contains("7 of 7 calls were right, with 7 answers")
        .contains("installed 1 time");
  }

  @Test
  void aRunOnSeveralDevicesMakesACallOnEach() {
    Cli cli = Cli.run("program", "run", "fetch-add", "--adversary", "5", "--seeds", "7");

    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out()).contains("adversaries 5 to 11: 7 of 7 calls were right");
    assertThat(Cli.run("program", "run", "fetch-add", "--seeds", "7").err())
        .contains("--seeds 7 needs --adversary SEED");
    assertThat(Cli.run("program", "run", "fetch-add", "--adversary", "5", "--seeds", "0").err())
        .contains("--seeds 0: give 1 or more");
  }

  @Test
  void aRunPrintsJson() {
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
  void severalClientsCallAtTheSameTime() {
    JsonNode run =
        Cli.run(
                "program",
                "run",
                "hash-get-48",
                "--calls",
                "7",
                "--clients",
                "3",
                "--adversary",
                "5",
                "--json")
            .json()
            .getFirst();
    assertThat(run.get("clients").asInt()).isEqualTo(3);
    assertThat(run.get("right").asInt()).isEqualTo(7);
  }

  @Test
  void wrongUsageIsReportedInOneSentence() {
    Cli unknown = Cli.run("program", "run", "nothing");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.err()).contains("there is no program nothing: 'bluebell program list'");

    Cli none = Cli.run("program", "run", "lock", "--calls", "0");
    assertThat(none.exitCode()).isEqualTo(2);
    assertThat(none.err()).contains("--calls 0: give 1 or more");

    assertThat(Cli.run("program", "run", "lock", "--clients", "0").err())
        .contains("--clients 0: give 1 to 1000");
    assertThat(Cli.run("program").exitCode()).isEqualTo(2);
    assertThat(Cli.run("program", "explain").exitCode()).isEqualTo(2);
    assertThat(Cli.run("program", "run", "lock", "--model", "hopeful").exitCode()).isEqualTo(2);
  }
}
