package dev.bluebell.cli.demo;

import dev.bluebell.cli.WorkFailed;
import dev.bluebell.cli.tap.HcaTap;
import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.SoftNicOptions;
import dev.bluebell.verbs.AsyncEvent;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.Device;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;

/** Where a mishap takes place: a device of its own, whose rings can be tampered with. */
final class Scene implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final HcaTap tap = new HcaTap(SoftNic.open(SoftNicOptions.DEFAULT));
  private final Device device = Device.over(tap);
  private final Stage stage = new Stage(device);

  Stage stage() {
    return stage;
  }

  Device device() {
    return device;
  }

  /** The ring of a side's send queue. */
  MemorySegment ring(Side side) {
    return tap.sendQueue(side.queuePair().number());
  }

  /** Waits for a completion that must have failed in a certain way. */
  static Finding failure(String who, Side side, CompletionStatus expected) {
    Done done = side.awaitAny();
    Check.equal("the status at the " + who, expected, done.status());
    Check.that(!done.explanation().isBlank(), "the " + who + " has no explanation");
    return Finding.completion(who, done);
  }

  /**
   * Waits for an event at the responder.
   *
   * @param told the requester's finding, whose explanation is not repeated
   */
  Finding event(AsyncEvent.Type expected, Finding told) throws InterruptedException {
    AsyncEvent event = device.awaitEvent(PATIENCE);
    if (event == null) {
      throw new WorkFailed("the responder got no event " + expected);
    }
    Check.equal("the event at the responder", expected, event.type());
    return new Finding(
        "responder",
        "event %s, QP 0x%x".formatted(event.type(), event.number()),
        explanations().stream().filter(why -> !told.explanations().contains(why)).toList());
  }

  /** What the device has explained so far. */
  List<String> explanations() {
    return device.diagnosis().map(HcaDiagnosis::explanations).orElse(List.of());
  }

  @Override
  public void close() {
    device.close();
  }
}
