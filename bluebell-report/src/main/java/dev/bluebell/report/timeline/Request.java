package dev.bluebell.report.timeline;

import dev.bluebell.hca.wqe.WqeOpcode;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A send request, from its doorbell to its completion. */
public final class Request {
  private final int number;
  private final Moment fetch;
  private final @Nullable Moment doorbell;
  private @Nullable Moment delivery;
  private @Nullable Moment receipt;
  private @Nullable Moment completion;
  private @Nullable Moment retirement;

  /**
   * @param number of the request in the trace, from 1
   * @param doorbell doorbell that announced it; null when it is not in the trace
   */
  Request(int number, Moment fetch, @Nullable Moment doorbell) {
    this.number = number;
    this.fetch = fetch;
    this.doorbell = doorbell;
    fetch.add(this);
    if (doorbell != null) {
      doorbell.add(this);
    }
  }

  public int number() {
    return number;
  }

  public int queuePair() {
    return fetch.happening().number();
  }

  public int index() {
    return fetch.happening().index();
  }

  /** For example {@code WQE 3 RDMA_WRITE}. */
  public String name() {
    return "WQE %d %s".formatted(index(), WqeOpcode.name(fetch.happening().detail()));
  }

  public Moment fetch() {
    return fetch;
  }

  public @Nullable Moment doorbell() {
    return doorbell;
  }

  /** Its execution at the responder; null when that was not recorded. */
  public @Nullable Moment delivery() {
    return delivery;
  }

  void deliver(Moment moment) {
    delivery = moment;
    moment.add(this);
  }

  /** The completion of the receive that it consumed; null for none. */
  public @Nullable Moment receipt() {
    return receipt;
  }

  void receive(Moment moment) {
    receipt = moment;
    moment.add(this);
  }

  /** Its own completion; null if it has none. */
  public @Nullable Moment completion() {
    return completion;
  }

  void complete(Moment moment) {
    completion = moment;
    retirement = moment;
    moment.add(this);
  }

  /** Marks it as over: a later request has completed, or its queue pair was reset. */
  void retire(Moment moment) {
    retirement = moment;
  }

  /** The moment when it was over; null when the trace does not show it. */
  public @Nullable Moment end() {
    return retirement == null ? delivery : retirement;
  }

  /** Its moments, in order. */
  public List<Moment> flow() {
    return Stream.of(doorbell, fetch, delivery, receipt, completion)
        .filter(Objects::nonNull)
        .toList();
  }

  /** True for the last of its moments. */
  public boolean endsAt(Moment moment) {
    return flow().getLast() == moment;
  }

  /** True if its completion is an error, also if it was only flushed. */
  public boolean failed() {
    return completion != null && completion.isError();
  }

  /** The whole WQE; null when it was not recorded. */
  public @Nullable String text() {
    return fetch.happening().text();
  }
}
