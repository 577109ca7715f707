package dev.bluebell.cli.demo;

import static dev.bluebell.cli.demo.BigEndian.INT;
import static dev.bluebell.cli.demo.BigEndian.LONG;
import static dev.bluebell.cli.demo.Finding.REQUESTER;
import static dev.bluebell.cli.demo.Finding.RESPONDER;

import dev.bluebell.cli.tap.QueuePlaces;
import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.doorbell.Uar;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.WorkOpcode;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Doorbells that are missing or wrong: most of them end in silence. */
final class DoorbellMishaps {
  private static final int BYTES = 64;

  private DoorbellMishaps() {}

  static List<Mishap> all() {
    return List.of(
        new Mishap(
            "receive-doorbell-forgotten",
            "receives posted without their doorbell record",
            DoorbellMishaps::receive),
        new Mishap(
            "send-doorbell-forgotten",
            "requests posted and not rung",
            DoorbellMishaps::nothingRung),
        new Mishap(
            "register-not-rung",
            "a doorbell record written without its register",
            DoorbellMishaps::recordOnly),
        new Mishap(
            "record-not-written",
            "a register rung before the record was written",
            DoorbellMishaps::registerOnly),
        new Mishap(
            "blueflame-not-alternated",
            "a BlueFlame register rung twice at the same offset",
            DoorbellMishaps::sameBuffer),
        new Mishap("wrong-page", "a doorbell on another page", DoorbellMishaps::wrongPage),
        new Mishap("short-doorbell", "a doorbell of 4 bytes", DoorbellMishaps::shortDoorbell),
        new Mishap(
            "record-too-far",
            "a doorbell record that counts more than the ring holds",
            DoorbellMishaps::recordTooFar));
  }

  static void writeRecord(Scene scene, Side side, int counter) {
    MemorySegment record = scene.places(side).record();
    record.set(INT, DoorbellRecord.SEND, counter);
  }

  /** The doorbell value for the request at a WQEBB of a side's ring. */
  static long doorbell(Scene scene, Side side, int wqebb) {
    return scene.ring(side).get(LONG, (long) wqebb * ControlSegment.WQEBB_BYTES);
  }

  /** Rings on the UAR page of a side's queue pair. */
  static void ring(Scene scene, Side side, long doorbell) {
    ring(scene, scene.places(side).registers(), doorbell);
  }

  private static void ring(Scene scene, long page, long doorbell) {
    Memory.fullFence();
    Memory.putLongRelease(page + Uar.BLUEFLAME, doorbell);
    scene.settle();
  }

  static List<Finding> receive(Scene scene) {
    ConnectOptions options = ConnectOptions.DEFAULT.withRnrRetry(2).withMinRnrTimer(1);
    Pair pair = scene.stage().pair(BYTES, options);
    Side right = pair.right();
    right.queuePair().receive().scatter(right.region(), 0, BYTES).post(0);
    scene.wrote("the receive counter in the responder's doorbell record", 0, 1);
    Side left = pair.left();
    left.send(BYTES);
    return List.of(
        Scene.failure(REQUESTER, left, CompletionStatus.RNR_RETRY_EXCEEDED),
        scene.silence(RESPONDER, right));
  }

  private static List<Finding> nothingRung(Scene scene) {
    Pair pair = scene.stage().pair();
    pair.postWrite(BYTES);
    scene.wrote("the send counter in the doorbell record", 0, 1);
    return List.of(scene.silence(REQUESTER, pair.left()));
  }

  private static List<Finding> recordOnly(Scene scene) {
    Pair pair = scene.stage().pair();
    pair.postWrite(BYTES);
    writeRecord(scene, pair.left(), 1);
    scene.wrote("the BlueFlame register", "0", "the first 8 bytes of the WQE");
    return List.of(scene.silence(REQUESTER, pair.left()));
  }

  private static List<Finding> registerOnly(Scene scene) {
    Pair pair = scene.stage().pair();
    pair.postWrite(BYTES);
    ring(scene, pair.left(), doorbell(scene, pair.left(), 0));
    scene.wrote("the send counter in the doorbell record", 0, 1);
    return List.of(explained(scene, pair.left()));
  }

  private static List<Finding> sameBuffer(Scene scene) {
    scene.loseDoorbells();
    Pair pair = scene.stage().pair();
    for (int i = 1; i <= 2; i++) {
      pair.postWrite(BYTES);
      writeRecord(scene, pair.left(), i);
      ring(scene, pair.left(), doorbell(scene, pair.left(), i - 1));
    }
    scene.wrote("the offset of the second ring in the register", 0, Uar.BLUEFLAME_BUFFER_BYTES);
    RawPoller poller = new RawPoller(scene.ring(pair.left().completions()));
    Check.that(poller.sees(0), "the first did not complete");
    Check.that(!poller.hasOpcode(1), "the second completed");
    return List.of(
        scene.finding(
            REQUESTER,
            "the first completes, the second does not",
            Finding.SILENCE,
            pair.left().queuePair().diagnose()));
  }

  private static List<Finding> wrongPage(Scene scene) {
    Pair pair = scene.stage().pair();
    pair.postWrite(BYTES);
    writeRecord(scene, pair.left(), 1);
    QueuePlaces places = scene.places(pair.left());
    HcaUar other = scene.anotherPage();
    scene.wrote("the UAR page that was rung", other.number(), places.page());
    ring(scene, other.address(), doorbell(scene, pair.left(), 0));
    return List.of(explained(scene, pair.left()));
  }

  private static List<Finding> shortDoorbell(Scene scene) {
    Pair pair = scene.stage().pair();
    pair.postWrite(BYTES);
    writeRecord(scene, pair.left(), 1);
    scene.wrote("the doorbell", "4 bytes", "8 bytes");
    int half = scene.ring(pair.left()).get(INT, 0);
    Memory.putIntRelease(scene.places(pair.left()).registers() + Uar.BLUEFLAME, half);
    scene.settle();
    RawPoller poller = new RawPoller(scene.ring(pair.left().completions()));
    Check.that(poller.sees(0), "nothing completed");
    return List.of(
        scene.finding(
            "device",
            "the doorbell names no queue pair; this device runs the request anyway",
            Finding.SILENCE));
  }

  private static List<Finding> recordTooFar(Scene scene) {
    Pair pair = scene.stage().pair();
    pair.postWrite(BYTES);
    int wqebbs = pair.left().queuePair().sendQueueWqebbs();
    writeRecord(scene, pair.left(), wqebbs + 5);
    scene.wrote("the send counter in the doorbell record", wqebbs + 5, 1);
    ring(scene, pair.left(), doorbell(scene, pair.left(), 0));
    RawPoller poller = new RawPoller(scene.ring(pair.left().completions()));
    return List.of(
        scene.finding(
            REQUESTER,
            "%s: %s".formatted(WorkOpcode.RDMA_WRITE, poller.status(0)),
            poller.syndromeName(0)));
  }

  /** A silence, with the explanations of the device and of the driver. */
  static Finding explained(Scene scene, Side side) {
    List<String> why = new ArrayList<>(scene.explanations());
    why.add(scene.why(side));
    return Finding.silence(REQUESTER, why);
  }
}
