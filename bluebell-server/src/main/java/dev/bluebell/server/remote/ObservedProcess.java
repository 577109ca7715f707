package dev.bluebell.server.remote;

import dev.bluebell.server.WatchedProcess;

/**
 * A client process and its observer. Thread-safe.
 *
 * @param named the process, for people to read
 */
record ObservedProcess(Observed observed, WatchedProcess process, String named) {
  ObservedProcess(Observed observed, WatchedProcess process) {
    this(observed, process, process.named());
  }

  /** Reports why a call of the process was refused. */
  void refused(String sentence) {
    observed.say(explanation(sentence), () -> false);
  }

  /** Reports a failure; not one caused by the end of the process. */
  void failed(String sentence) {
    observed.say(explanation(sentence), process::isEnding);
  }

  private Explanation explanation(String sentence) {
    return new Explanation(process.pid(), named, sentence);
  }
}
