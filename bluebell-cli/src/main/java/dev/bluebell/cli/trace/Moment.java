package dev.bluebell.cli.trace;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.HcaObserver;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Something that the device did, with the requests that it belongs to. */
final class Moment {
  private final HcaHappening happening;
  private final List<Request> requests = new ArrayList<>();
  private @Nullable String explanation;

  Moment(HcaHappening happening) {
    this.happening = happening;
  }

  HcaHappening happening() {
    return happening;
  }

  long nanos() {
    return happening.nanos();
  }

  /** Queue pair that it is about; -1 for none. */
  int queuePair() {
    return happening.subject() == HcaObserver.Subject.QUEUE_PAIR ? happening.number() : -1;
  }

  /** The requests whose flow passes here. */
  List<Request> requests() {
    return requests;
  }

  void add(Request request) {
    requests.add(request);
  }

  /** Why it is an error; null when it is none, or nobody said why. */
  @Nullable String explanation() {
    return explanation;
  }

  void explain(String why) {
    explanation = why;
  }

  /** True for the event of a completion queue that was overrun. */
  boolean isOverrun() {
    return happening.kind() == HcaHappening.EVENT && happening.detail() == HcaEvent.CQ_ERROR;
  }

  /** True for a completion in error. */
  boolean isError() {
    return happening.kind() == HcaHappening.COMPLETED && happening.syndrome() != 0;
  }
}
