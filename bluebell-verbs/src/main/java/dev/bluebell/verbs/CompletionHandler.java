package dev.bluebell.verbs;

/** Receives completions from {@link CompletionQueue#poll(CompletionHandler)}. */
@FunctionalInterface
public interface CompletionHandler {

  /**
   * Handles one completion. It counts as consumed even if this method throws. This method may post
   * and ring. It must not poll the same queue, which takes further completions and changes the
   * view. If it closes a queue pair, completions of that queue pair that were not handled yet are
   * dropped.
   *
   * @param completion a view that is reused for the next completion
   */
  void completed(Completion completion);
}
