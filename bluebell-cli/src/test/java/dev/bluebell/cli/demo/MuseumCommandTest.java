package dev.bluebell.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.cli.Cli;
import dev.bluebell.cli.command.WorkFailed;
import java.util.List;
import org.junit.jupiter.api.Test;

/** museum lists its exhibits and runs them, and reports an exhibit that differs from its report. */
class MuseumCommandTest {
  private static final int WIDTH = 100;

  @Test
  void theListHasEachExhibitWithItsTitle() {
    Cli cli = Cli.run("museum");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out().lines()).hasSize(Museum.all().size());
    for (Exhibit exhibit : Museum.all()) {
      assertThat(cli.out()).contains(exhibit.name() + " ").contains(exhibit.mishap().title());
    }
  }

  @Test
  void aRunPrintsReportExplanationAndFix() {
    Cli cli = Cli.run("museum", "run", "devx-25");
    assertThat(cli.exitCode()).as(cli.out()).isZero();
    assertThat(cli.out())
        .contains("https://github.com/Mellanox/devx/issues/25")
        .contains("REMOTE_INVALID_REQUEST, syndrome 0x12, vendor 0x8a")
        .contains("opt_param_mask")
        .contains("fixed      a WRITE of 64 bytes arrives")
        .contains("docs/museum/devx-25.md")
        .contains("1 of 1 right");
    assertThat(cli.out().lines()).allMatch(line -> line.length() <= WIDTH);
  }

  @Test
  void allFailAsReportedAndWorkWhenFixed() {
    Cli cli = Cli.run("museum", "run", "--all", "--json");
    assertThat(cli.exitCode()).as(cli.out()).isZero();
    List<JsonNode> exhibits = cli.json().subList(0, cli.json().size() - 1);
    assertThat(exhibits).hasSize(Museum.all().size());
    assertThat(exhibits)
        .allSatisfy(
            exhibit -> {
              assertThat(exhibit.get("right").asBoolean()).isTrue();
              assertThat(exhibit.get("findings")).isNotEmpty();
              assertThat(exhibit.get("fixed").asText()).isNotBlank();
            });
  }

  @Test
  void anotherDeviceSkipsWhatNeedsAnOptionOfTheSoftwareDevice() {
    Cli cli = Cli.run("museum", "run", "--all", "--device", "soft:engine=poll");
    assertThat(cli.exitCode()).as(cli.out()).isZero();
    assertThat(cli.out())
        .contains("it needs a software device with doorbells=strict")
        .contains("it needs a software device with mtu=1024")
        .doesNotContain("0 of 0");
  }

  @Test
  void aNameOrAllIsNeeded() {
    assertThat(Cli.run("museum", "run").exitCode()).isEqualTo(2);
    assertThat(Cli.run("museum", "run", "--all", "devx-25").exitCode()).isEqualTo(2);
    Cli unknown = Cli.run("museum", "run", "nothing");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.err()).contains("there is no failure nothing in the museum");
  }

  @Test
  void anExhibitFailsIfItIsNotExplainedOrItsFixDoesNotWork() throws InterruptedException {
    Story story = new Story("", "");
    Exhibit unexplained =
        Exhibit.of(
            "", "", List.of(), "", story, List.of("a field"), scene -> List.of(), scene -> "");
    assertThat(unexplained.run(Scene::new).complaint()).contains("no explanation names 'a field'");
    Exhibit unfixed =
        Exhibit.of(
            "",
            "",
            List.of(),
            "",
            story,
            List.of(),
            scene -> List.of(),
            scene -> {
              throw new WorkFailed("the data differ");
            });
    assertThat(unfixed.run(Scene::new).complaint())
        .isEqualTo("it fails when fixed, too: the data differ");
  }

  @Test
  void everyExhibitHasANameOfItsOwnAndNothingEmpty() {
    assertThat(Museum.all())
        .extracting(Exhibit::name)
        .doesNotHaveDuplicates()
        .allMatch(name -> name.matches("[a-z0-9-]+"));
    assertThat(Museum.all())
        .allSatisfy(
            exhibit -> {
              assertThat(exhibit.reported()).isNotBlank();
              assertThat(exhibit.reports())
                  .isNotEmpty()
                  .allMatch(report -> report.matches("[\\w.-]+/[\\w.-]+(#\\d+)?"));
              assertThat(exhibit.story().cause()).isNotBlank();
              assertThat(exhibit.story().cure()).isNotBlank();
            });
  }
}
