package dev.bluebell.verbs.value;

/** A queue that may have an unfinished request, or a stage of that request. */
public interface Unfinished {

  /**
   * Drops the unfinished request.
   *
   * @return false when there is none
   */
  boolean dropUnfinished();
}
