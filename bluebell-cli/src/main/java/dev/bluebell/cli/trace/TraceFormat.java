package dev.bluebell.cli.trace;

import dev.bluebell.hca.HcaHappening;
import dev.bluebell.report.timeline.Timeline;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** The file formats of a flight record, chosen by file extension. */
public enum TraceFormat {
  /** A trace for Perfetto. */
  PERFETTO(
      ".pftrace",
      "for https://ui.perfetto.dev",
      (record, title) -> PerfettoTrace.of(Timeline.of(record))),

  /** One JSON object per line. */
  JSON_LINES(
      ".jsonl",
      "a JSON object in each line",
      (record, title) -> utf8(TraceLines.of(Timeline.of(record)))),

  /** A picture. */
  SVG(".svg", "as a picture", (record, title) -> utf8(TracePicture.of(Timeline.of(record), title))),

  /** The traced requests as a chain. */
  CHAIN(
      ".chain",
      "as a chain for 'bluebell program verify'",
      (record, title) -> utf8(RecordedChain.of(Timeline.of(record)))),

  /** The entries as they are. */
  TEXT(
      "",
      "as text",
      (record, title) ->
          utf8(
              record.stream()
                  .map(happening -> happening.toString().stripTrailing() + "\n")
                  .collect(Collectors.joining())));

  private final String end;
  private final String about;
  private final BiFunction<List<HcaHappening>, String, byte[]> writer;

  TraceFormat(String end, String about, BiFunction<List<HcaHappening>, String, byte[]> writer) {
    this.end = end;
    this.about = about;
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

  /**
   * Writes a record, oldest entry first.
   *
   * @param title title of a picture
   */
  public byte[] write(List<HcaHappening> record, String title) {
    return writer.apply(record, title);
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
