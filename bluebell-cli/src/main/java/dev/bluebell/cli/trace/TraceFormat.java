package dev.bluebell.cli.trace;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.report.timeline.Timeline;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The file formats of a flight record, chosen by file extension. */
public enum TraceFormat {
  /** A trace for Perfetto. */
  PERFETTO(
      ".pftrace",
      "for https://ui.perfetto.dev",
      "open it there",
      "\n.P\1h\1",
      (record, title) -> PerfettoTrace.of(Timeline.of(record))),

  /** One JSON object per line. */
  JSON_LINES(
      ".jsonl",
      "a JSON object in each line",
      "read it with a tool for JSON lines, such as jq",
      "\\{\"ns\":",
      (record, title) -> utf8(TraceLines.of(Timeline.of(record)))),

  /** A picture. */
  SVG(
      ".svg",
      "as a picture",
      "open it with a browser",
      "<svg ",
      (record, title) -> utf8(TracePicture.of(Timeline.of(record), title))),

  /** The traced requests as a chain. */
  CHAIN(
      ".chain",
      "as a chain for 'bluebell program verify'",
      "give it to that command",
      "# What the queues of a device executed",
      (record, title) -> utf8(RecordedChain.of(Timeline.of(record)))),

  /** The entries as they are. */
  TEXT(
      "",
      "as text",
      "it can be read as it is",
      " *[\\d,]+ ns  ",
      (record, title) ->
          utf8(
              record.stream()
                  .map(happening -> happening.toString().stripTrailing() + "\n")
                  .collect(Collectors.joining())));

  /** The rule by which a file's extension chooses its format, for help texts. */
  public static final String BY_EXTENSION =
      "FILE.pftrace is a trace for https://ui.perfetto.dev, FILE.jsonl has a JSON object in each"
          + " line, FILE.svg is a picture, FILE.chain a chain for 'bluebell program verify'; any"
          + " other name gives text.";

  private final String end;
  private final String about;
  private final String opener;
  private final Pattern begin;
  private final BiFunction<List<HcaHappening>, String, byte[]> writer;

  TraceFormat(
      String end,
      String about,
      String opener,
      String begin,
      BiFunction<List<HcaHappening>, String, byte[]> writer) {
    this.end = end;
    this.about = about;
    this.opener = opener;
    this.begin = Pattern.compile(begin, Pattern.DOTALL);
    this.writer = writer;
  }

  /** The format for a file, by its name. */
  public static TraceFormat of(Path file) {
    String name = file.toString();
    for (TraceFormat format : values()) {
      if (name.endsWith(format.end)) {
        return format;
      }
    }
    return TEXT;
  }

  /** The format of a written record, by its first bytes; empty for other text. */
  public static Optional<TraceFormat> ofContents(String text) {
    return Arrays.stream(values())
        .filter(format -> format.begin.matcher(text).lookingAt())
        .findFirst();
  }

  /** What opens a file of this format, as a request to the user. */
  public String opener() {
    return opener;
  }

  /**
   * Writes a record, oldest entry first.
   *
   * @param title title of a picture
   */
  public byte[] write(List<HcaHappening> record, String title) {
    return writer.apply(record, title);
  }

  /** A short description of a written record. */
  public String describe(List<HcaHappening> record) {
    return switch (this) {
      case CHAIN -> "%s (%s)".formatted(about, RecordedChain.summary(Timeline.of(record)));
      case SVG -> "%s (%s)".formatted(about, TracePicture.summary(Timeline.of(record)));
      default -> about;
    };
  }

  /** A short description of the format. */
  @Override
  public String toString() {
    return about;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
