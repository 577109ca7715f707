package dev.bluebell.report.timeline;

import org.jspecify.annotations.Nullable;

/** A completion in error, with what is known of its request. */
public final class Failure {
  private final Moment completion;
  private final @Nullable String wqe;
  private int flushed;

  Failure(Moment completion, @Nullable String wqe) {
    this.completion = completion;
    this.wqe = wqe;
  }

  /** The completion, whose explanation says why. */
  public Moment completion() {
    return completion;
  }

  /** The whole request as text; null when it is a receive, or was not recorded. */
  public @Nullable String wqe() {
    return wqe;
  }

  /** How many requests of the queue pair were flushed because of it. */
  public int flushed() {
    return flushed;
  }

  void addFlushed() {
    flushed++;
  }
}
