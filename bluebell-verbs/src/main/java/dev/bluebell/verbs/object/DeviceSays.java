package dev.bluebell.verbs.object;

import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The sentences that a software device reports about one of its objects; empty on hardware. */
public final class DeviceSays {
  private DeviceSays() {}

  /**
   * The latest explanation that names an object, and that is not the flush of another one. Without
   * such a sentence, the latest that names it at all.
   *
   * @param name of the object, as the device's lines begin with it: {@code QP 0x40}
   * @param told as of {@link Diagnosed#diagnose}
   */
  public static Optional<String> latestOf(DeviceContext device, String name, Set<String> told) {
    return lastOf(ask(device, HcaDiagnosis::explanations), name)
        .filter(told::add)
        .map(
            sentence ->
                "The latest explanation of %s: %s%s"
                    .formatted(name, sentence, sentence.endsWith("?") ? "" : "."));
  }

  /**
   * The device's line about an object.
   *
   * @param name as of {@link #latestOf}
   */
  public static List<String> of(DeviceContext device, String name) {
    return ask(device, HcaDiagnosis::objects).stream()
        .filter(line -> line.startsWith(name + ":"))
        .map("The device says: %s."::formatted)
        .toList();
  }

  /** What the device answers; nothing if it is lost, as its queue pairs say. */
  private static List<String> ask(
      DeviceContext device, Function<HcaDiagnosis, List<String>> question) {
    try {
      return device.hca().diagnosis().map(question).orElse(List.of());
    } catch (HcaException e) {
      return List.of();
    }
  }

  private static Optional<String> lastOf(List<String> explanations, String name) {
    List<String> latest =
        explanations.reversed().stream().filter(line -> names(line, name)).toList();
    // The flush of another object repeats a cause that has a sentence of its own.
    return latest.stream()
        .filter(
            line ->
                !line.startsWith(HcaDiagnosis.FLUSHED)
                    || line.startsWith(HcaDiagnosis.FLUSHED + name + " "))
        .findFirst()
        .or(() -> latest.stream().findFirst());
  }

  /** True when the name is in a line, and not only as the beginning of a longer number. */
  private static boolean names(String line, String name) {
    for (int at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
      int behind = at + name.length();
      if (behind == line.length() || Character.digit(line.charAt(behind), 16) < 0) {
        return true;
      }
    }
    return false;
  }
}
