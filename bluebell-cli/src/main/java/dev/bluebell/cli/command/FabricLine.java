package dev.bluebell.cli.command;

import dev.bluebell.hca.HcaDiagnosis;
import java.util.Optional;
import java.util.stream.Stream;

/** The description of a software device's fabric, unless it is a lossless loopback. */
public final class FabricLine {
  /** Prefix of a fabric's line among the lines of the device's objects. */
  private static final String START = "fabric ";

  /** Next in the line of a lossy fabric; the line of a network does not have it. */
  private static final String LOSS = "loss=";

  /** What follows the options in a fabric's line. */
  private static final String COUNTERS = ": .*";

  private FabricLine() {}

  /** The description of each fabric of the device. */
  private static Stream<String> all(Optional<HcaDiagnosis> diagnosis) {
    return diagnosis.stream()
        .flatMap(device -> device.objects().stream())
        .filter(line -> line.startsWith(START))
        .map(line -> line.substring(START.length()));
  }

  /** True when a fabric of the device loses, repeats or delays packets on purpose. */
  public static boolean isLossy(Optional<HcaDiagnosis> diagnosis) {
    return all(diagnosis).anyMatch(line -> line.startsWith(LOSS));
  }

  /** Options that reproduce the fabric. */
  public static Optional<String> options(Optional<HcaDiagnosis> diagnosis) {
    return of(diagnosis).map(line -> line.replaceFirst(COUNTERS, ""));
  }

  /** Options that reproduce the fabric, and what became of its packets. */
  public static Optional<String> of(Optional<HcaDiagnosis> diagnosis) {
    return all(diagnosis).findFirst();
  }
}
