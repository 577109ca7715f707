package dev.bluebell.report.timeline;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.HcaObserver;
import dev.bluebell.hca.cqe.Syndrome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An entry of the flight record, with the requests to which it belongs. */
public final class Moment {
  private final HcaHappening happening;
  private final List<Request> requests = new ArrayList<>();
  private @Nullable String explanation;

  Moment(HcaHappening happening) {
    this.happening = happening;
  }

  public HcaHappening happening() {
    return happening;
  }

  public long nanos() {
    return happening.nanos();
  }

  /** Number of the queue pair; -1 when the entry belongs to none. */
  public int queuePair() {
    return happening.subject() == HcaObserver.Subject.QUEUE_PAIR ? happening.number() : -1;
  }

  /** The requests that this entry is a part of. */
  public List<Request> requests() {
    return requests;
  }

  void add(Request request) {
    requests.add(request);
  }

  /** The explanation of an error; null when there is no error or no explanation. */
  public @Nullable String explanation() {
    return explanation;
  }

  void explain(String why) {
    explanation = why;
  }

  /** True for the event of an overrun completion queue. */
  public boolean isOverrun() {
    return happening.kind() == HcaHappening.EVENT && happening.detail() == HcaEvent.CQ_ERROR;
  }

  /** True for a completion in error. */
  public boolean isError() {
    return happening.kind() == HcaHappening.COMPLETED && happening.syndrome() != 0;
  }

  /** True for the completion of a request that did not fail itself, but was flushed. */
  public boolean isFlush() {
    return isError() && happening.syndrome() == Syndrome.WR_FLUSH_ERR;
  }
}
