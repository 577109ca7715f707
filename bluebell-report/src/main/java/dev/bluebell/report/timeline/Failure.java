package dev.bluebell.report.timeline;

import dev.bluebell.hca.cqe.CqeOpcode;
import org.jspecify.annotations.Nullable;

/** A completion in error, with its request. */
public final class Failure {
  private final Moment completion;
  private final @Nullable String wqe;
  private int flushed;

  Failure(Moment completion, @Nullable String wqe) {
    this.completion = completion;
    this.wqe = wqe;
  }

  /** The completion, with its explanation. */
  public Moment completion() {
    return completion;
  }

  /** The whole WQE as text; null when it is a receive, or was not recorded. */
  public @Nullable String wqe() {
    return wqe;
  }

  /** True for a receive, false for a send request. */
  public boolean isReceive() {
    return completion.happening().completionOpcode() != CqeOpcode.REQ_ERR;
  }

  /** True if the request did not fail itself, but was flushed, and the record has no failure. */
  public boolean isFlush() {
    return completion.isFlush();
  }

  /** The number of requests of the queue pair that were flushed because of it. */
  public int flushed() {
    return flushed;
  }

  void addFlushed() {
    flushed++;
  }
}
