package dev.bluebell.cli.demo;

import static dev.bluebell.cli.demo.Finding.REQUESTER;
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
import java.util.stream.Stream;

/** The setting of a mishap: its own device, whose rings can be changed. */
final class Scene implements AutoCloseable {

  private static final Duration CALM = Duration.ofMillis(2);
  private static final int POLLS = 100;

  // The polling thread runs the device: if something has not happened after some polls, it never
  // will.
  private static final SoftNicOptions POLLED =
      SoftNicOptions.DEFAULT.withEngine(EngineMode.POLL).withIdentity(1);

  private final boolean steps;
  private final List<String> wrong = new ArrayList<>();
  private HcaTap tap;
  private Stage stage;

  /** Creates a scene on a software device that the polling thread runs. */
  Scene() {
    this(SoftNic.open(POLLED), true);
  }

  /** Creates a scene on any device; closing the scene closes the device. */
  Scene(Hca hca) {
    this(hca, false);
  }

  private Scene(Hca hca, boolean steps) {
    this.steps = steps;
    tap = new HcaTap(hca);
    stage = new Stage(Device.over(tap));
  }

  /** Replaces the device by one that loses the doorbells that a card may lose. */
  void loseDoorbells() {
    open("doorbells=strict", POLLED.withStrictDoorbells(true));
  }

  /**
   * Replaces the device by one whose link carries packets up to a path MTU.
   *
   * @param mtu a path MTU
   */
  void limitLink(int mtu) {
    open("mtu=" + mtu, POLLED.withMtu(mtu));
  }

  /**
   * Replaces the device by one that sends packets between its queue pairs, so that requests queue.
   */
  void travel() {
    open("loss=0%", POLLED.withLoss(LossOptions.none(1)));
  }

  /**
   * Changes all commands of one kind on their way to the device, from now on.
   *
   * @param opcode opcode of the commands
   * @param change receives the input
   */
  void change(int opcode, Consumer<View> change) {
    tap.change(opcode, change);
  }

  /** Lets queue pairs connect to addresses that no port has. */
  void leadAnywhere() {
    tap.leadAnywhere();
  }

  /**
   * Replaces the device by one that randomizes every ordering that the specification leaves open.
   */
  void drawOrder(long seed) {
    open("adversary=" + seed, POLLED.withAdversary(seed));
  }

  private void open(String option, SoftNicOptions options) {
    if (!steps) {
      throw new NeedsSoftware(option);
    }
    device().close();
    tap = new HcaTap(SoftNic.open(options));
    stage = new Stage(Device.over(tap));
  }

  Stage stage() {
    return stage;
  }

  Device device() {
    return stage.device();
  }

  /** The ring of a side's send queue. */
  MemorySegment ring(Side side) {
    return ring(side.queuePair());
  }

  /** The ring of a send queue. */
  MemorySegment ring(QueuePair queuePair) {
    return tap.queuePair(queuePair.number()).ring();
  }

  /** Addresses of the other parts of a side's queue pair. */
  QueuePlaces places(Side side) {
    return tap.queuePair(side.queuePair().number());
  }

  /** The ring of a completion queue. */
  MemorySegment ring(CompletionQueue completions) {
    return tap.completionQueue(completions.number()).ring();
  }

  /** The doorbell record of a completion queue. */
  MemorySegment record(CompletionQueue completions) {
    return tap.completionQueue(completions.number()).record();
  }

  /** A UAR page that no queue of the scene uses. */
  HcaUar anotherPage() {
    return tap.allocateUar();
  }

  /** Notes a wrong field for the report. */
  void wrote(String what, Object found, Object right) {
    wrong.add("%s is %s, and should be %s".formatted(what, found, right));
  }

  /**
   * Notes a wrong field for the report.
   *
   * @param format of both values
   */
  void wrote(String what, String format, Object found, Object right) {
    wrote(what, format.formatted(found), format.formatted(right));
  }

  /** Notes the first request in a side's ring, which is wrong, for the report. */
  void wroteRequest(Side side) {
    MemorySegment ring = ring(side);
    byte[] bytes =
        ring.asSlice(0, 16L * (ring.get(ValueLayout.JAVA_BYTE, 7) & 0x3f))
            .toArray(ValueLayout.JAVA_BYTE);
    WqeText.disassemble(bytes).lines().forEach(wrong::add);
  }

  /** The wrong bytes, one line each. */
  List<String> wrong() {
    return wrong;
  }

  /** Lets a polled device do all its work; other devices get a short time by their own clock. */
  void settle() {
    long start = device().clock();
    long cycles = steps ? 0 : CALM.toNanos() * device().attributes().clockKilohertz() / 1_000_000;
    for (int i = 0; i < POLLS || device().clock() - start < cycles; i++) {
      tap.progress();
    }
  }

  /** Runs the device until an expected condition holds. */
  void until(String what, BooleanSupplier happened) {
    long start = System.nanoTime();
    while (!happened.getAsBoolean()) {
      Check.that(
          System.nanoTime() - start < Place.PATIENCE.toNanos(), "nothing was seen of " + what);
      tap.progress();
    }
  }

  /** True when the device explains failures, which only software does. */
  boolean explains() {
    return device().diagnosis().isPresent();
  }

  /** Checks that nothing completes; returns the explanation. */
  Finding silence(String who, Side side) {
    return Finding.silence(who, List.of(why(side)));
  }

  /** Checks that nothing completes at a side; returns the driver's diagnosis. */
  String why(Side side) {
    settle();
    Check.that(side.completions().poll() == null, "something completed");
    return side.queuePair().diagnose();
  }

  /** Waits for a completion with an expected failure. */
  static Finding failure(String who, Side side, CompletionStatus expected) {
    Completion done = side.awaitAny();
    Check.equal("the status at the " + who, expected, done.status());
    Check.that(!done.explanation().isBlank(), "the " + who + " has no explanation");
    return Finding.completion(who, done);
  }

  /**
   * Waits for the failure of a request that the responder refuses, and for the event there. The
   * responder's finding does not repeat the explanations of the requester's.
   */
  List<Finding> refusal(Side side, CompletionStatus expected, AsyncEvent.Type event)
      throws InterruptedException {
    Finding requester = failure(REQUESTER, side, expected);
    AsyncEvent came = awaitEvent(event);
    return List.of(
        requester,
        new Finding(
            RESPONDER,
            "event %s, QP 0x%x".formatted(came.type(), came.number()),
            explanations().stream().filter(why -> !requester.explanations().contains(why)).toList(),
            Finding.EVENT));
  }

  /** Waits for the event of an overrun completion queue. */
  Finding overrun() throws InterruptedException {
    AsyncEvent event = awaitEvent(AsyncEvent.Type.CQ_ERROR);
    return finding(
        "device", "event %s, CQ 0x%x".formatted(event.type(), event.number()), Finding.EVENT);
  }

  private AsyncEvent awaitEvent(AsyncEvent.Type expected) throws InterruptedException {
    AsyncEvent event = device().awaitEvent(Place.PATIENCE);
    if (event == null) {
      throw new WorkFailed("no event %s came".formatted(expected));
    }
    Check.equal("the event", expected, event.type());
    return event;
  }

  /** A finding with the device's explanations so far, and with those of the driver. */
  Finding finding(String who, String what, String sign, String... driver) {
    return new Finding(
        who, what, Stream.concat(explanations().stream(), Stream.of(driver)).toList(), sign);
  }

  /** The device's explanations so far. */
  List<String> explanations() {
    return device().diagnosis().map(HcaDiagnosis::explanations).orElse(List.of());
  }

  @Override
  public void close() {
    device().close();
  }
}
