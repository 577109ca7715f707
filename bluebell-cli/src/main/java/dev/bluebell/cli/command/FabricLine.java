package dev.bluebell.cli.command;

import dev.bluebell.hca.HcaDiagnosis;
import java.util.Optional;
import java.util.stream.Stream;

/** What a software device says of its fabric, unless that is a loopback that loses nothing. */
public final class FabricLine {
  /** How the line of a fabric starts among those of the device's objects. */
  private static final String START = "fabric ";

  /** How the line of a lossy one goes on; a network has lines as well, which do not. */
  private static final String LOSS = "loss=";

  private FabricLine() {}

  /** What each fabric of the device says. */
  private static Stream<String> all(Optional<HcaDiagnosis> diagnosis) {
    return diagnosis.stream()
        .flatMap(device -> device.objects().stream())
        .filter(line -> line.startsWith(START))
        .map(line -> line.substring(START.length()));
  }

  /** True when a fabric of the device loses packets on purpose, or repeats or delays them. */
  public static boolean isLossy(Optional<HcaDiagnosis> diagnosis) {
    return all(diagnosis).anyMatch(line -> line.startsWith(LOSS));
  }

  /** Its options, with which the same can be had again, and what became of its packets. */
  public static Optional<String> of(Optional<HcaDiagnosis> diagnosis) {
    return all(diagnosis).findFirst();
  }
}
