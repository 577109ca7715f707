package dev.bluebell.verbs.value;

/** A request whose data has a limit. */
public interface Limited {

  /**
   * Limits the data that the request still takes. A segment that exceeds it is refused with an
   * {@link IndexOutOfBoundsException}, and the request is dropped.
   *
   * @param bytes from 0
   */
  void limit(long bytes);
}
