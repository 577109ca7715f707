package dev.bluebell.verbs;

/** Receives completions from {@link CompletionQueue#poll(CompletionHandler)}. */
@FunctionalInterface
public interface CompletionHandler {

  /**
   * Handles one completion. It counts as consumed even if this method throws. This method may post
   * requests.
   *
   * @param completion a view that is reused for the next completion
   */
  void completed(Completion completion);
}
