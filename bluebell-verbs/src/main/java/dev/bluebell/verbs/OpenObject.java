package dev.bluebell.verbs;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Something that was created on a device and is not closed.
 *
 * @param object that is open
 * @param created where it was created, the caller of the driver first; empty unless {@link
 *     Device#traceCreations} was called before
 */
public record OpenObject(AutoCloseable object, List<StackTraceElement> created) {
  /** Keeps a copy of the frames. */
  public OpenObject {
    created = List.copyOf(created);
  }

  /** The object's name, and a line for each frame. */
  @Override
  public String toString() {
    return created.stream()
        .map(frame -> "\n    at " + frame)
        .collect(Collectors.joining("", object.toString(), ""));
  }
}
