package dev.bluebell.verbs;

import java.util.List;
import java.util.stream.Collectors;

/**
 * An object of a device that has not been closed.
 *
 * @param object the open object
 * @param created stack trace of its creation, starting with the caller of the driver; empty unless
 *     {@link Device#traceCreations} was called before
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
