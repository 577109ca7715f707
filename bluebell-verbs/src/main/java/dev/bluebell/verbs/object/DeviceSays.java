package dev.bluebell.verbs.object;

import dev.bluebell.hca.HcaDiagnosis;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a software device tells of one of its objects, as sentences; nothing of hardware. */
public final class DeviceSays {
  private DeviceSays() {}

  /**
   * @param name of the object, as the device's lines begin with it: {@code QP 0x40}
   */
  public static List<String> of(DeviceContext device, String name) {
    Optional<HcaDiagnosis> diagnosis = device.hca().diagnosis();
    if (diagnosis.isEmpty()) {
      return List.of();
    }
    List<String> sentences = new ArrayList<>();
    diagnosis.get().objects().stream()
        .filter(line -> line.startsWith(name + ":"))
        .map("The device says: %s."::formatted)
        .forEach(sentences::add);
    lastOf(diagnosis.get().explanations(), name)
        .map("Its latest explanation: %s."::formatted)
        .ifPresent(sentences::add);
    return sentences;
  }

  private static Optional<String> lastOf(List<String> explanations, String name) {
    return explanations.reversed().stream().filter(line -> names(line, name)).findFirst();
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
