package dev.bluebell.verbs.object;

import java.util.List;
import java.util.Optional;

/** The sentences that a software device reports about one of its objects; empty on hardware. */
public final class DeviceSays {
  private static final String NUMBER = "0x";
  private static final String FLUSHED = "flushed, because";

  private DeviceSays() {}

  /**
   * The latest explanation that names an object, and that is not the flush of another one. Without
   * such a sentence, the latest that names it at all.
   *
   * @param name of the object, as the device's lines begin with it: {@code QP 0x40}
   */
  public static Optional<String> latestOf(DeviceContext device, String name) {
    return device
        .hca()
        .diagnosis()
        .flatMap(diagnosis -> lastOf(diagnosis.explanations(), name))
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
    return device.hca().diagnosis().stream()
        .flatMap(diagnosis -> diagnosis.objects().stream())
        .filter(line -> line.startsWith(name + ":"))
        .map("The device says: %s."::formatted)
        .toList();
  }

  private static Optional<String> lastOf(List<String> explanations, String name) {
    String kind = name.substring(0, name.indexOf(NUMBER) + NUMBER.length());
    List<String> latest =
        explanations.reversed().stream().filter(line -> place(line, name) >= 0).toList();
    // A peer's flush names the cause, which has a sentence of its own.
    return latest.stream()
        .filter(line -> !line.startsWith(FLUSHED) || place(line, name) == line.indexOf(kind))
        .findFirst()
        .or(() -> latest.stream().findFirst());
  }

  /** Where the name is in a line, and not only as the beginning of a longer number; or -1. */
  private static int place(String line, String name) {
    for (int at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
      int behind = at + name.length();
      if (behind == line.length() || Character.digit(line.charAt(behind), 16) < 0) {
        return at;
      }
    }
    return -1;
  }
}
