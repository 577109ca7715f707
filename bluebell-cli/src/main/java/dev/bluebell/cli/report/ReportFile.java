package dev.bluebell.cli.report;

import dev.bluebell.cli.command.OutputFile;
import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.counter.PortCounter;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.report.Report;
import dev.bluebell.report.ReportedDevice;
import dev.bluebell.verbs.Device;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** The HTML file of the option {@code --report}: collects what devices did, and writes it. */
public final class ReportFile {
  private final OutputFile file;
  private final SequencedMap<String, String> facts = new LinkedHashMap<>();
  private final List<ReportedDevice> devices = new ArrayList<>();

  /**
   * Checks that the file can be written.
   *
   * @param version of this command
   * @throws dev.bluebell.cli.command.WorkFailed when it can't
   */
  public ReportFile(Path path, String version) {
    file = new OutputFile("report", path);
    file.require();
    facts.put("Written by", version);
    facts.put("Begun", DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(now()));
  }

  private static ZonedDateTime now() {
    return ZonedDateTime.now().truncatedTo(ChronoUnit.SECONDS);
  }

  /** Adds a fact about the whole report. */
  public void add(String name, String value) {
    facts.put(name, value);
  }

  /** Adds what a device did. */
  public void add(ReportedDevice device) {
    devices.add(device);
  }

  /**
   * Begins to report on an open device. The counters of a device process include earlier work, so
   * this must be called before the work begins.
   *
   * @param page null for no report
   * @return adds what the device did; to be run after the work, before the device is closed
   */
  public static Runnable begin(@Nullable ReportFile page, String name, Device device) {
    if (page == null) {
      return () -> {};
    }
    Map<PortCounter, Long> before = device.counters();
    return () ->
        page.add(
            new ReportedDevice(
                name,
                device.diagnosis().map(HcaDiagnosis::happenings).orElse(List.of()),
                device.diagnosis().map(HcaDiagnosis::explanations).orElse(List.of()),
                before,
                counters(device)));
  }

  /** The counters of a device; empty for one that is dead. */
  private static Map<PortCounter, Long> counters(Device device) {
    try {
      return device.counters();
    } catch (HcaException dead) {
      return Map.of();
    }
  }

  /** Writes the page, and prints its path. */
  public void write(String title, PrintWriter err) {
    Report report = new Report(title, facts);
    devices.forEach(report::add);
    file.write(
        report.html(),
        err,
        "the flight record of %s; open it in a browser"
            .formatted(Counted.of(devices.size(), "device")));
  }
}
