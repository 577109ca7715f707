package dev.bluebell.cli.demo;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CrossChannelBuilder;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ManagedQueuePair;
import dev.bluebell.verbs.MasterQueuePair;
import dev.bluebell.verbs.MemoryRegion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * RedN's break, request by request. Each lap reads an element of an array into the unused bits of a
 * NOP. A compare-and-swap turns the NOP into a WRITE if these bits match. The WRITE turns the lap's
 * last request into the answer and removes its completion, for which the next lap waits. RedN needs
 * a device that does not check index and QPN of requests.
 */
final class BreakStep implements AutoCloseable {
  private static final int LAPS = 8;
  private static final int FOUND = 5;
  private static final int WQEBB = ControlSegment.WQEBB_BYTES;

  // The first word of a request: three unused bytes, the opcode, three unused bytes, the size.
  private static final int UNUSED = 3;
  private static final int OPCODE = 3;
  private static final int SECOND_UNUSED = 4;

  // The bytes that a break writes into a request: all before the immediate.
  private static final int FLAGS = 11;
  private static final int REWRITTEN = 12;

  // Offsets in the program's memory; each area has steps of 16 bytes.
  private static final long STEP = 16;
  private static final long ELEMENTS = 0;
  private static final long NUMBERS = 1024;
  private static final long ANSWERS = 2048;
  private static final long SCRATCH = 4096;

  private final Stage stage;
  private final Place place;
  private final CompletionQueue compared;
  private final CompletionQueue rewritten;
  private final CompletionQueue ended;
  private final ManagedQueuePair comparing;
  private final ManagedQueuePair breaking;
  private final ManagedQueuePair answering;
  private final MasterQueuePair launcher;
  private final MemoryRegion breaks;
  private final MemoryRegion answers;

  private BreakStep(Stage stage) {
    this.stage = stage;
    place = stage.place();
    compared = stage.device().createCompletionQueue(LAPS);
    rewritten = stage.device().createCompletionQueue(LAPS);
    ended = stage.device().createCompletionQueue(LAPS);
    comparing = Stage.looped(describe(compared).managedSends().create());
    breaking = Stage.looped(describe(rewritten).managedSends().create());
    answering = describe(ended).managedSends().create();
    launcher = Stage.looped(describe(place.completions()).create());
    breaks = breaking.sendQueueMemory(Access.rights());
    answers = answering.sendQueueMemory(Access.rights());
  }

  private CrossChannelBuilder describe(CompletionQueue completions) {
    return stage.domain().rcQueuePair(completions).sendQueue(64).maxGather(2).crossChannel();
  }

  static String run(Stage timed) throws InterruptedException {
    try (Device device = timed.open("wqe-checks=off");
        BreakStep step = new BreakStep(new Stage(device))) {
      return step.search(timed);
    }
  }

  private String search(Stage timed) throws InterruptedException {
    Side client = stage.side(WQEBB);
    Stage.connect(client.queuePair(), answering);
    client.postReceive(0, 0, Long.BYTES);
    place.fill(ELEMENTS, (int) (LAPS * STEP), 60);
    for (int lap = 0; lap < LAPS; lap++) {
      postAnswer(lap);
      postBreak(lap);
      postComparison(lap);
      launch(lap);
    }
    Sleep sleep = new Sleep();
    timed.start();
    launcher.ringDoorbell();
    sleep.until(client.completions());
    timed.stop();
    client.await();
    long answer = client.segment().get(ValueLayout.JAVA_LONG, 0);
    Check.equal("the answer", (long) FOUND, answer);
    int laps = 0;
    while (compared.poll() != null) {
      laps++;
    }
    Check.equal("the number of laps", FOUND + 1, laps);
    return sleep.toString();
  }

  /** Posts the answer as a NOP, which the break of its lap changes. */
  private void postAnswer(int lap) {
    place.segment().set(ValueLayout.JAVA_LONG, NUMBERS + STEP * lap, lap);
    answering.send().gather(place.region(), NUMBERS + STEP * lap, Long.BYTES).signaled(lap);
    MemorySegment request = answers.segment().asSlice((long) WQEBB * lap, REWRITTEN);
    MemorySegment wanted = place.segment().asSlice(ANSWERS + STEP * lap, REWRITTEN);
    wanted.copyFrom(request);
    wanted.set(ValueLayout.JAVA_BYTE, FLAGS, (byte) ControlSegment.CE_ON_ERROR);
    request.set(ValueLayout.JAVA_BYTE, OPCODE, (byte) 0);
  }

  /** Posts the break: a WRITE that changes the answer of its lap. */
  private void postBreak(int lap) {
    breaking
        .write(answers.remote().slice((long) WQEBB * lap, REWRITTEN))
        .gather(place.region(), ANSWERS + STEP * lap, REWRITTEN)
        .signaled(lap);
  }

  /**
   * Turns the break into a NOP that contains the element; the swap restores the WRITE if it
   * matches.
   */
  private void postComparison(int lap) {
    long at = (long) WQEBB * lap;
    MemorySegment request = breaks.segment().asSlice(at, Long.BYTES);
    long swap = request.get(ValueLayout.JAVA_LONG, 0);
    request.set(ValueLayout.JAVA_BYTE, OPCODE, (byte) 0);
    MemorySegment wanted = MemorySegment.ofArray(new long[1]);
    wanted.copyFrom(request);
    MemorySegment element = place.segment().asSlice(ELEMENTS + STEP * FOUND, 2 * UNUSED);
    MemorySegment.copy(element, 0, wanted, 0, UNUSED);
    MemorySegment.copy(element, UNUSED, wanted, SECOND_UNUSED, UNUSED);
    comparing
        .read(place.region().remote().slice(ELEMENTS + STEP * lap, 2 * UNUSED))
        .scatter(breaks, at, UNUSED)
        .scatter(breaks, at + SECOND_UNUSED, UNUSED)
        .unsignaled(lap);
    comparing
        .compareAndSwap(
            breaks.remote().slice(at, Long.BYTES), wanted.get(ValueLayout.JAVA_LONG, 0), swap)
        .scatter(place.region(), SCRATCH)
        .fence()
        .signaled(lap);
  }

  private void launch(int lap) {
    if (lap > 0) {
      launcher.waitFor(ended, lap - 1).unsignaled(lap);
    }
    launcher.enableSends(comparing, comparing.nextWqebb()).unsignaled(lap);
    launcher.waitFor(compared, lap).unsignaled(lap);
    launcher.enableSends(breaking, breaking.nextWqebb()).unsignaled(lap);
    launcher.waitFor(rewritten, lap).unsignaled(lap);
    launcher.enableSends(answering, answering.nextWqebb()).unsignaled(lap);
  }

  @Override
  public void close() {
    breaks.close();
    answers.close();
  }
}
