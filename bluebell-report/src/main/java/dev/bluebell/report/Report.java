package dev.bluebell.report;

import dev.bluebell.hca.text.Counted;
import dev.bluebell.report.timeline.Failure;
import dev.bluebell.report.timeline.Timeline;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A report of what devices did for an application, as one HTML page: failed requests with their
 * WQEs, connections, counters, and a timeline. The page loads nothing; without its script only the
 * timeline is missing.
 */
public final class Report {
  private static final Pattern PLACE = Pattern.compile("\\{\\{([a-z-]+)}}");

  private final String title;
  private final SequencedMap<String, String> facts;
  private final List<ReportedDevice> devices = new ArrayList<>();

  /**
   * Begins a report.
   *
   * @param title what the devices did, as a heading
   * @param facts other facts about it by name, in the order of the page
   */
  public Report(String title, SequencedMap<String, String> facts) {
    this.title = title;
    this.facts = new LinkedHashMap<>(facts);
  }

  /** Adds a device. */
  public Report add(ReportedDevice device) {
    devices.add(device);
    return this;
  }

  /** The page, as HTML in UTF-8. */
  public byte[] html() {
    Html failures = new Html();
    Html connections = new Html();
    Html counters = new Html();
    Html charts = new Html();
    Json data = new Json().begin('[');
    int failed = 0;
    int flushed = 0;
    int entries = 0;
    boolean isTold = false;
    Html losses = new Html();
    for (int i = 0; i < devices.size(); i++) {
      ReportedDevice device = devices.get(i);
      Timeline timeline = Timeline.of(device.record());
      TimelineData drawn = new TimelineData(timeline);
      for (Failure failure : timeline.failures()) {
        if (failure.isFlush()) {
          flushed += 1 + failure.flushed();
        } else {
          failed++;
        }
      }
      isTold |= !device.explanations().isEmpty();
      entries += timeline.moments().size();
      timeline
          .overwritten()
          .ifPresent(
              lost ->
                  losses.add(
                      "<p>%s: %s. Requests are counted in the record, not in the whole run.</p>",
                      device.name(), lost.description()));
      Html ofDevice = new FailuresSection(i, timeline, drawn, device.explanations()).elements();
      if (!ofDevice.isEmpty()) {
        if (failures.isEmpty()) {
          failures.add("<h2>Failures</h2>");
        }
        if (devices.size() > 1) {
          failures.add("<h3 class=\"device\">%s</h3>", device.name());
        }
        failures.addElements(ofDevice);
      }
      connections.addElements(ConnectionsSection.of(device.name(), timeline));
      counters.addElements(CountersSection.of(device));
      charts.add("<div class=\"chart\" data-device=\"%d\"></div>", i);
      drawn.write(data, device.name());
    }
    Map<String, String> parts = new LinkedHashMap<>();
    parts.put("title", Html.escaped(title));
    parts.put("facts", facts().toString());
    parts.put("verdict", verdict(failed, flushed, isTold, entries).addElements(losses).toString());
    parts.put("failures", failures.toString());
    parts.put("connections", connections.toString());
    parts.put("counters", counters.toString());
    parts.put("charts", charts.toString());
    parts.put("data", data.end(']').toString());
    parts.put("style", resource("report.css"));
    parts.put("script", resource("report.js"));
    parts.put("uplot-style", resource("uplot/uPlot.min.css"));
    parts.put("uplot-script", resource("uplot/uPlot.iife.min.js"));
    parts.put("uplot-licence", resource("uplot/LICENSE"));
    return fill(resource("report.html"), parts).getBytes(StandardCharsets.UTF_8);
  }

  private Html facts() {
    Html html = new Html();
    facts.forEach((name, value) -> html.add("<dt>%s</dt><dd>%s</dd>", name, value));
    return html;
  }

  /**
   * The first sentence of the page. A flush without a failure is no failure: the client moves its
   * queue pairs to ERR when it disconnects.
   *
   * @param flushed requests that were flushed without a failure in the record
   * @param isTold whether a device explained anything
   */
  private static Html verdict(int failed, int flushed, boolean isTold, int entries) {
    if (entries == 0) {
      return new Html()
          .add(
              "<p>The flight record is empty: nothing was done or recorded, or the record is lost"
                  + " with its device.</p>");
    }
    String record = "The flight record has %s.".formatted(Counted.of(entries, "entry", "entries"));
    if (failed > 0) {
      return new Html()
          .add("<p class=\"bad\">%s failed. %s</p>", Counted.of(failed, "request"), record);
    }
    if (flushed > 0) {
      return new Html()
          .add(
              "<p>No request failed, but %s flushed. %s</p>",
              Counted.of(flushed, "was", "were"), record);
    }
    return isTold
        ? new Html().add("<p>No request failed, but see what else was reported. %s</p>", record)
        : new Html().add("<p class=\"good\">No request failed. %s</p>", record);
  }

  /** Fills in all parts in one pass, so that text in a part is never taken for a placeholder. */
  private static String fill(String template, Map<String, String> parts) {
    return PLACE
        .matcher(template)
        .replaceAll(
            (MatchResult place) ->
                Matcher.quoteReplacement(Objects.requireNonNull(parts.get(place.group(1)))));
  }

  private static String resource(String name) {
    try (InputStream in = Objects.requireNonNull(Report.class.getResourceAsStream(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
