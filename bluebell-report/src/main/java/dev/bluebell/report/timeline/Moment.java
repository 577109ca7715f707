package dev.bluebell.report.timeline;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.HcaObserver;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Something that the device did, with the requests that it belongs to. */
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

  /** Queue pair that it is about; -1 for none. */
  public int queuePair() {
    return happening.subject() == HcaObserver.Subject.QUEUE_PAIR ? happening.number() : -1;
  }

  /** The requests whose flow passes here. */
  public List<Request> requests() {
    return requests;
  }

  void add(Request request) {
    requests.add(request);
  }

  /** Why it is an error; null when it is none, or nobody said why. */
  public @Nullable String explanation() {
    return explanation;
  }

  void explain(String why) {
    explanation = why;
  }

  /** True for the event of a completion queue that was overrun. */
  public boolean isOverrun() {
    return happening.kind() == HcaHappening.EVENT && happening.detail() == HcaEvent.CQ_ERROR;
  }

  /** True for a completion in error. */
  public boolean isError() {
    return happening.kind() == HcaHappening.COMPLETED && happening.syndrome() != 0;
  }
}
