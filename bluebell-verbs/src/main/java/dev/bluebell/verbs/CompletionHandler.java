package dev.bluebell.verbs;

/** Takes completions from {@link CompletionQueue#poll(CompletionHandler)}. */
@FunctionalInterface
public interface CompletionHandler {

  /**
   * Takes one completion, which counts as consumed, also when this method throws. Requests may be
   * posted from here.
   *
   * @param completion a view that is reused for the next completion
   */
  void completed(Completion completion);
}
