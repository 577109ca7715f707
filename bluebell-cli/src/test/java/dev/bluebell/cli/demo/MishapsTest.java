package dev.bluebell.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.report.guide.Cause;
import dev.bluebell.report.guide.Guide;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each mishap has the expected symptom, and is explained. */
class MishapsTest {

  static Stream<String> pages() {
    return Mishaps.all().stream().map(Mishap::page);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pages")
  void theMistakeIsMadeAndExplained(String page) throws InterruptedException {
    Mishap mishap =
        Mishaps.all().stream().filter(each -> each.page().equals(page)).findFirst().orElseThrow();
    MishapResult result = mishap.run();
    if (System.getProperty("show") != null) {
      System.out.println("== " + page);
      result.wrong().forEach(System.out::println);
      result.findings().forEach(System.out::println);
    }
    assertThat(result.complaint()).isNull();
    assertThat(result.findings()).isNotEmpty();
    assertThat(result.findings())
        .allSatisfy(
            finding -> assertThat(finding.explanations()).isNotEmpty().noneMatch(String::isBlank));
  }

  @Test
  void aWrongByteIsReportedAsAByte() {
    try (Scene scene = new Scene()) {
      scene.wrote("fm_ce_se", "0x%02x", (byte) 0x85, (byte) 0x05);
      scene.wrote("qpn_mkey", "0x%08x", 0x85, 0x80000005);
      assertThat(scene.wrong())
          .containsExactly(
              "fm_ce_se is 0x85, and should be 0x05",
              "qpn_mkey is 0x00000085, and should be 0x80000005");
    }
  }

  @Test
  void everyPageHasANameOfItsOwn() {
    assertThat(pages()).doesNotHaveDuplicates().allMatch(page -> page.matches("[a-z0-9-]+"));
  }

  @Test
  void everyCauseThatDecodeNamesHasAPage() {
    List<String> pages = pages().map(page -> page + ".md").toList();
    assertThat(Arrays.stream(Guide.values()).flatMap(guide -> guide.causesOnACard().stream()))
        .filteredOn(Cause::isMistake)
        .extracting(Cause::link)
        .allMatch(pages::contains);
  }
}
