package dev.bluebell.verbs.value;

/** A queue, or a request of it, that may be half built. */
public interface Unfinished {

  /**
   * Drops the request that is half built.
   *
   * @return false when there is none
   */
  boolean dropUnfinished();
}
