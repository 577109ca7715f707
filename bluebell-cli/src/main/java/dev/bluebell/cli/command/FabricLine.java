package dev.bluebell.cli.command;

import dev.bluebell.hca.HcaDiagnosis;
import java.util.Optional;
import java.util.stream.Stream;

/** What a software device says of its fabric, unless that is a loopback that loses nothing. */
public final class FabricLine {
  /** How the line of a fabric starts among those of the device's objects. */
  private static final String START = "fabric ";

  private FabricLine() {}

  /** What each fabric of the device says. */
  public static Stream<String> all(Optional<HcaDiagnosis> diagnosis) {
    return diagnosis.stream()
        .flatMap(device -> device.objects().stream())
        .filter(line -> line.startsWith(START))
        .map(line -> line.substring(START.length()));
  }

  /** Its options, with which the same can be had again, and what became of its packets. */
  public static Optional<String> of(Optional<HcaDiagnosis> diagnosis) {
    return all(diagnosis).findFirst();
  }
}
