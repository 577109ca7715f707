package dev.bluebell.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.HcaHappening;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page in a browser, opened as a file. Skipped if there is no Chromium. The property {@code
 * bluebell.report.screenshots} names a folder for screenshots.
 */
@Tag("long")
class BrowserTest {
  private static final int WIDTH = 1280;
  private static final int HEIGHT = 1000;
  private static final int EVENTS = 100_000;
  private static final int STEPS = 20;

  /** The middle of the lanes' canvas, and the position of the last failed request. */
  private static final String CANVAS =
      "(() => { const r = charts[0].lanesPlot.over.getBoundingClientRect();"
          + " return {x: r.left, y: r.top, width: r.width, height: r.height}; })()";

  @TempDir private static Path folder;
  private static Browser browser;

  @BeforeAll
  static void start() throws Exception {
    Optional<Path> program = Browser.program();
    assumeTrue(
        program.isPresent(), "no Chromium on the path (Debian: apt install chromium): not tried");
    browser = Browser.start(program.get(), folder.resolve("profile"));
  }

  @AfterAll
  static void end() throws InterruptedException {
    if (browser != null) {
      browser.close();
    }
  }

  private static void open(List<HcaHappening> record) throws Exception {
    Report report = new Report("a program", new LinkedHashMap<>(Map.of("Command", "a program")));
    report.add(new ReportedDevice("mlx5_0", record, List.of(), Map.of(), Map.of()));
    browser.open(Files.write(folder.resolve("report.html"), report.html()), WIDTH, HEIGHT);
  }

  private static void keepScreenshot(String name) throws IOException, InterruptedException {
    String kept = System.getProperty("bluebell.report.screenshots");
    if (kept != null) {
      Files.createDirectories(Path.of(kept));
      Files.write(Path.of(kept, name + ".png"), browser.screenshot());
    }
  }

  @Test
  void aButtonShowsTheFailedRequestAndAClickSelectsIt() throws Exception {
    open(Records.refused());
    keepScreenshot("failure");
    assertThat(text("#chosen")).isEqualTo("Nothing is selected.");
    JsonNode button =
        browser.evaluate(
            "(() => { const b = document.querySelector('button[data-event]');"
                + " b.scrollIntoView(); const r = b.getBoundingClientRect();"
                + " return {x: r.left + 5, y: r.top + 5}; })()");
    browser.click(button.get("x").asDouble(), button.get("y").asDouble());
    assertThat(text("#chosen")).contains("QP 0x40 completed WQE 0 REQ_ERR", "rkey=0x0000115b");
    browser.evaluate("charts[0].select({event: -1, request: -1})");
    assertThat(text("#chosen")).isEqualTo("Nothing is selected.");

    JsonNode canvas = browser.evaluate(CANVAS);
    JsonNode place =
        browser.evaluate(
            "({x: charts[0].lanesPlot.valToPos(200, 'x') + 3,"
                + " y: (charts[0].requestLane[0] + 0.5) * LANE})");
    browser.click(
        canvas.get("x").asDouble() + place.get("x").asDouble(),
        canvas.get("y").asDouble() + place.get("y").asDouble());
    assertThat(text("#chosen")).contains("doorbell, producer index 3", Records.WHY);
    keepScreenshot("selected");
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void aHundredThousandEventsAreDrawnAndZoomedWithTheWheel() throws Exception {
    open(Records.busy(EVENTS));
    assertThat(browser.evaluate("charts[0].device.events.ns.length").asInt())
        .isGreaterThanOrEqualTo(EVENTS);
    JsonNode paint =
        browser.evaluate(
            "new Promise(resolve => requestAnimationFrame(() => setTimeout(() => resolve("
                + "performance.getEntriesByType('paint').map(p => p.startTime)))))");
    browser.evaluate("document.getElementById('timeline').scrollIntoView()");
    keepScreenshot("hundred-thousand");
    JsonNode canvas = browser.evaluate(CANVAS);
    double x = canvas.get("x").asDouble() + canvas.get("width").asDouble() / 2;
    double y = canvas.get("y").asDouble() + 40;
    browser.evaluate(
        "globalThis.drawings = []; const draw = charts[0].draw.bind(charts[0]);"
            + " charts[0].draw = u => { const start = performance.now(); draw(u);"
            + " drawings.push(performance.now() - start); }");
    double whole = range();
    StringBuilder steps = new StringBuilder();
    for (int i = 0; i < STEPS; i++) {
      browser.evaluate("globalThis.wheeled = performance.now()");
      browser.mouse("mouseWheel", x, y, -100);
      steps.append(
          " %.0f"
              .formatted(
                  browser
                      .evaluate(
                          "new Promise(resolve => requestAnimationFrame(() => setTimeout(() =>"
                              + " resolve(performance.now() - wheeled))))")
                      .asDouble()));
    }
    assertThat(range()).isLessThan(whole / 100);
    keepScreenshot("zoomed");
    System.out.printf(
        "%d events: first paint after %s ms; a zoom step, from the wheel to the next frame:%s ms;"
            + " of which drawing %s ms%n",
        EVENTS, paint, steps, browser.evaluate("drawings.map(ms => Math.round(10 * ms) / 10)"));
    assertThat(browser.complaints()).isEmpty();
  }

  private static double range() throws InterruptedException {
    return browser
        .evaluate("charts[0].lanesPlot.scales.x.max - charts[0].lanesPlot.scales.x.min")
        .asDouble();
  }

  private static String text(String selector) throws InterruptedException {
    return browser.evaluate("document.querySelector('" + selector + "').textContent").asText();
  }
}
