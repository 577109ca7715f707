package dev.bluebell.verbs.ring;

import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The checks that guard the data path against misuse. */
public final class Checks {

  /**
   * False when the process was started with {@code -Dbluebell.checks=off}; the checks then fold
   * away. Misuse can then corrupt the caller's own queues, never memory outside them.
   */
  public static final boolean ENABLED = !"off".equals(System.getProperty("bluebell.checks"));

  static {
    mistake(System.getProperties().stringPropertyNames(), System.getProperty("bluebell.checks"))
        .ifPresent(
            sentence ->
                System.getLogger("dev.bluebell.verbs").log(System.Logger.Level.WARNING, sentence));
  }

  /**
   * End of a message that blames the device for something a second thread could have caused; empty
   * with checks on, which rule that out.
   */
  public static final String UNLESS_SHARED =
      ENABLED
          ? ""
          : " (or several threads used the queue, which goes undetected with"
              + " -Dbluebell.checks=off)";

  private Checks() {}

  /**
   * Explains what is wrong with a mistyped option for turning the checks off.
   *
   * @param properties names of all system properties
   * @param value of the right one; null when it is not set
   */
  public static Optional<String> mistake(Set<String> properties, @Nullable String value) {
    if (value != null && !value.equals("off") && !value.equals("on")) {
      return Optional.of(
          "-Dbluebell.checks=%s is neither on nor off: checks are on".formatted(value));
    }
    return properties.stream()
        .filter(name -> name.startsWith("bluebell.ch") && !name.equals("bluebell.checks"))
        .findFirst()
        .map(
            name ->
                "-D%s is not an option: checks are on, and -Dbluebell.checks=off turns them off"
                    .formatted(name));
  }
}
