package dev.bluebell.cli.demo;

import static dev.bluebell.cli.demo.Finding.RESPONDER;

import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.cli.tap.HcaTap;
import dev.bluebell.cli.tap.QueuePlaces;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.text.WqeText;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.LossOptions;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.AsyncEvent;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.QueuePair;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Where a mishap takes place: a device of its own, whose rings can be tampered with. */
final class Scene implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Duration CALM = Duration.ofMillis(2);
  private static final int POLLS = 100;

  // Whoever polls runs the device: what has not happened after some polls never will.
  private static final SoftNicOptions POLLED =
      SoftNicOptions.DEFAULT.withEngine(EngineMode.POLL).withIdentity(1);

  private final boolean steps;
  private final List<String> wrong = new ArrayList<>();
  private HcaTap tap;
  private Device device;
  private Stage stage;

  /** On a software device that runs on the polling thread. */
  Scene() {
    this(SoftNic.open(POLLED), true);
  }

  /** On any device, which is closed with the scene. */
  Scene(Hca hca) {
    this(hca, false);
  }

  private Scene(Hca hca, boolean steps) {
    this.steps = steps;
    tap = new HcaTap(hca);
    device = Device.over(tap);
    stage = new Stage(device);
  }

  /** Takes another device: one that loses what a card may lose. */
  void loseDoorbells() {
    open("doorbells=strict", POLLED.withStrictDoorbells(true));
  }

  /**
   * Takes another device: one whose link carries packets of so many bytes at most.
   *
   * @param mtu a path MTU
   */
  void limitLink(int mtu) {
    open("mtu=" + mtu, POLLED.withMtu(mtu));
  }

  /** Takes another device: one between whose queue pairs packets travel, so that requests queue. */
  void travel() {
    open("loss=0%", POLLED.withLoss(LossOptions.none(1)));
  }

  /**
   * Changes a command on its way to the device, from now on.
   *
   * @param opcode of the command
   * @param change gets the input
   */
  void change(int opcode, Consumer<View> change) {
    tap.change(opcode, change);
  }

  /** Lets queue pairs be connected to what no port has. */
  void leadAnywhere() {
    tap.leadAnywhere();
  }

  /** Takes another device: one that draws all that the order of requests leaves open. */
  void drawOrder(long seed) {
    open("adversary=" + seed, POLLED.withAdversary(seed));
  }

  private void open(String option, SoftNicOptions options) {
    if (!steps) {
      throw new NeedsSoftware(option);
    }
    device.close();
    tap = new HcaTap(SoftNic.open(options));
    device = Device.over(tap);
    stage = new Stage(device);
  }

  Stage stage() {
    return stage;
  }

  Device device() {
    return device;
  }

  /** The ring of a side's send queue. */
  MemorySegment ring(Side side) {
    return ring(side.queuePair());
  }

  /** The ring of a send queue. */
  MemorySegment ring(QueuePair queuePair) {
    return tap.sendQueue(queuePair.number());
  }

  /** Where the other parts of a side's queue pair lie. */
  QueuePlaces places(Side side) {
    return tap.queuePair(side.queuePair().number());
  }

  /** The ring of a completion queue. */
  MemorySegment ring(CompletionQueue completions) {
    return tap.completionQueue(completions.number());
  }

  /** The doorbell record of a completion queue. */
  MemorySegment record(CompletionQueue completions) {
    return tap.completionRecord(completions.number());
  }

  /** A UAR page that no queue of the scene rings on. */
  HcaUar anotherPage() {
    return tap.allocateUar();
  }

  /** Notes bytes that are wrong. */
  void wrote(String what, Object found, Object right) {
    wrong.add("%s is %s, and should be %s".formatted(what, found, right));
  }

  /** Notes the request in the first WQEBB of a side's ring, which is wrong. */
  void wroteRequest(Side side) {
    MemorySegment ring = ring(side);
    byte[] bytes =
        ring.asSlice(0, 16L * (ring.get(ValueLayout.JAVA_BYTE, 7) & 0x3f))
            .toArray(ValueLayout.JAVA_BYTE);
    WqeText.disassemble(bytes).lines().forEach(wrong::add);
  }

  /** The bytes that are wrong. */
  List<String> wrong() {
    return wrong;
  }

  /** Lets the device do all that it can do now; another device gets a while by its own clock. */
  void settle() {
    long start = device.clock();
    long cycles = steps ? 0 : CALM.toNanos() * device.attributes().clockKilohertz() / 1_000_000;
    for (int i = 0; i < POLLS || device.clock() - start < cycles; i++) {
      tap.progress();
    }
  }

  /** Lets the device work until something has happened that must happen. */
  void until(String what, BooleanSupplier happened) {
    long start = System.nanoTime();
    while (!happened.getAsBoolean()) {
      Check.that(System.nanoTime() - start < PATIENCE.toNanos(), "nothing was seen of " + what);
      tap.progress();
    }
  }

  /** True when the device explains failures, which only software does. */
  boolean explains() {
    return device.diagnosis().isPresent();
  }

  /** Checks that nothing completes, and asks why. */
  Finding silence(String who, Side side) {
    return Finding.silence(who, List.of(why(side)));
  }

  /** What the driver says when nothing completes at a side. */
  String why(Side side) {
    settle();
    Check.that(side.completions().poll() == null, "something completed");
    return side.queuePair().diagnose();
  }

  /** Waits for a completion that must have failed in a certain way. */
  static Finding failure(String who, Side side, CompletionStatus expected) {
    Completion done = side.awaitAny();
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
    AsyncEvent event = awaitEvent(expected);
    return new Finding(
        RESPONDER,
        "event %s, QP 0x%x".formatted(event.type(), event.number()),
        explanations().stream().filter(why -> !told.explanations().contains(why)).toList(),
        Finding.EVENT);
  }

  /** Waits for the event of a completion queue that was overrun. */
  Finding overrun() throws InterruptedException {
    AsyncEvent event = awaitEvent(AsyncEvent.Type.CQ_ERROR);
    return new Finding(
        "device",
        "event %s, CQ 0x%x".formatted(event.type(), event.number()),
        explanations(),
        Finding.EVENT);
  }

  private AsyncEvent awaitEvent(AsyncEvent.Type expected) throws InterruptedException {
    AsyncEvent event = device.awaitEvent(PATIENCE);
    if (event == null) {
      throw new WorkFailed("no event %s came".formatted(expected));
    }
    Check.equal("the event", expected, event.type());
    return event;
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
