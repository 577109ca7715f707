package dev.bluebell.cli.demo;

import static dev.bluebell.cli.demo.BigEndian.LONG;
import static dev.bluebell.cli.demo.Finding.REQUESTER;

import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.CrossChannelBuilder;
import dev.bluebell.verbs.CrossChannelQueuePair;
import dev.bluebell.verbs.ManagedQueuePair;
import dev.bluebell.verbs.MasterQueuePair;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.WorkOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;

/** Mistakes with queues that wait for each other or enable each other. */
final class ManagedMishaps {
  private static final ValueLayout.OfLong HOST_WORD = ValueLayout.JAVA_LONG_UNALIGNED;

  // The opcode is the fourth byte.
  private static final long WRITE_IN_HOST_ORDER = (long) WqeOpcode.RDMA_WRITE << 24;

  private static final int WORD_BYTES = Long.BYTES;
  private static final long SOURCE = 64;
  private static final long TARGET = 128;
  private static final int SEEDS = 100;

  private ManagedMishaps() {}

  static List<Mishap> all() {
    return List.of(
        new Mishap(
            "enable-forgotten",
            "a managed queue that is never enabled",
            ManagedMishaps::nobodyEnables),
        new Mishap(
            "enable-by-no-master",
            "a SEND_EN on a queue pair without cd_master",
            ManagedMishaps::noMaster),
        new Mishap(
            "wait-for-unsignalled",
            "a WAIT for a request that makes no completion",
            ManagedMishaps::waitForSilence),
        new Mishap(
            "swap-in-wqe-order",
            "a compare-and-swap of a WQE with big-endian operands",
            ManagedMishaps::wrongOrder),
        new Mishap(
            "changed-after-fetch",
            "a WQE changed after it was fetched",
            ManagedMishaps::changedTooLate));
  }

  private static CrossChannelBuilder describe(Scene scene, Place place) {
    return scene.stage().domain().rcQueuePair(place.completions()).crossChannel();
  }

  private static ManagedQueuePair managed(Scene scene, Place place) {
    return Stage.looped(describe(scene, place).managedSends().create());
  }

  private static MasterQueuePair master(Scene scene, Place place) {
    return Stage.looped(describe(scene, place).create());
  }

  private static Finding silence(Scene scene, Place place, CrossChannelQueuePair queuePair) {
    scene.settle();
    Check.that(place.completions().poll() == null, "something completed");
    return Finding.silence(REQUESTER, List.of(queuePair.diagnose()));
  }

  private static List<Finding> nobodyEnables(Scene scene) {
    Place place = scene.stage().place();
    ManagedQueuePair managed = managed(scene, place);
    managed.nop().signaled(1);
    scene.wrote("the enabled index of the managed queue", 0, managed.nextWqebb());
    return List.of(silence(scene, place, managed));
  }

  private static List<Finding> noMaster(Scene scene) {
    ManagedQueuePair managed = managed(scene, scene.stage().place());
    managed.nop().signaled(1);
    Pair pair = scene.stage().pair();
    MemorySegment enable = MemorySegment.ofArray(new byte[2 * ControlSegment.BYTES]);
    enable.set(LONG, 0, ControlSegment.first(0, 0, WqeOpcode.SEND_EN, 0, 2));
    enable.set(LONG, 24, 1L << 32 | managed.number());
    pair.left().queuePair().raw(enable).signaled(1);
    scene.wroteRequest(pair.left());
    scene.wrote("cd_master in the queue pair's context", 0, 1);
    pair.left().queuePair().ringDoorbell();
    return List.of(
        Scene.failure(REQUESTER, pair.left(), CompletionStatus.LOCAL_QP_OPERATION_ERROR));
  }

  private static List<Finding> waitForSilence(Scene scene) {
    Place worker = scene.stage().place();
    Place place = scene.stage().place();
    MasterQueuePair working = master(scene, worker);
    MasterQueuePair waiting = master(scene, place);
    working.nop().unsignaled(1);
    working.ringDoorbell();
    waiting.waitFor(worker.completions(), 0).unsignaled(1);
    waiting.nop().signaled(2);
    waiting.ringDoorbell();
    scene.wrote("the completion mode of the request that the WAIT is for", 0, 2);
    return List.of(silence(scene, place, waiting));
  }

  private static List<Finding> wrongOrder(Scene scene) {
    Place place = scene.stage().place();
    Place target = scene.stage().place();
    ManagedQueuePair managed = managed(scene, target);
    MasterQueuePair master = master(scene, place);
    try (MemoryRegion ring =
        managed.sendQueueMemory(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC)) {
      managed.nop().signaled(1);
      MemorySegment wqe = ring.segment();
      long idle = wqe.get(LONG, 0);
      long armed = idle | (long) WqeOpcode.RDMA_WRITE << 32;
      scene.wrote("the compare operand of the swap", bytes(idle), bytes(wqe.get(HOST_WORD, 0)));
      master.compareAndSwap(ring.remote(), idle, armed).scatter(place.region(), 0).signaled(1);
      master.ringDoorbell();
      Completion swapped = place.await();
      long fetched = place.segment().get(HOST_WORD, 0);
      Check.that(fetched != idle, "the swap found what it compared with");
      Check.equal("the WQE", idle, wqe.get(LONG, 0));
      return List.of(
          Finding.wrongData(
              REQUESTER,
              "%s: %s, and the WQE is unchanged".formatted(swapped.opcode(), swapped.status()),
              "The swap compared with %s, and fetched %s, so it changed nothing."
                  .formatted(bytes(idle), bytes(fetched))));
    }
  }

  private static List<Finding> changedTooLate(Scene scene) {
    for (long seed = 0; seed < SEEDS; seed++) {
      scene.drawOrder(seed);
      List<String> told = executesAsPosted(scene);
      if (!told.isEmpty()) {
        scene.wrote("cd_slave_send of the queue whose WQE is changed", 0, 1);
        return List.of(
            new Finding(
                REQUESTER,
                "COMPARE_AND_SWAP: SUCCESS, NOP: SUCCESS; the swap had made the NOP a WRITE, but"
                    + " nothing was written",
                told,
                Finding.WRONG_DATA));
      }
    }
    throw new WorkFailed("no seed fetched the WQE before it was changed");
  }

  /**
   * Lets a queue change its own third request into a WRITE, and wait until that is done.
   *
   * @return the device's explanations; empty when it fetched the request after the change
   */
  private static List<String> executesAsPosted(Scene scene) {
    Place place = scene.stage().place();
    MasterQueuePair queue = master(scene, place);
    try (MemoryRegion ring =
        queue.sendQueueMemory(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC)) {
      place.fill(SOURCE, WORD_BYTES, 1);
      long third = 2L * ControlSegment.WQEBB_BYTES;
      // A NOP with the size of a WRITE, which the swap expects. It is stored after posting, below.
      long idle = Long.reverseBytes(ControlSegment.first(0, 2, WqeOpcode.NOP, queue.number(), 3));
      queue
          .compareAndSwap(ring.remote().slice(third, WORD_BYTES), idle, idle | WRITE_IN_HOST_ORDER)
          .scatter(place.region(), 0)
          .signaled(1);
      queue.waitFor(place.completions(), 0).unsignaled(2);
      queue
          .write(place.region().remote().slice(TARGET, WORD_BYTES))
          .gather(place.region(), SOURCE, WORD_BYTES)
          .signaled(3);
      ring.segment().set(HOST_WORD, third, idle);
      queue.ringDoorbell();
      Check.equal("what is swapped", WorkOpcode.COMPARE_AND_SWAP, place.await().opcode());
      Completion changed = place.await();
      Check.equal(
          "the WQE in the ring", idle | WRITE_IN_HOST_ORDER, ring.segment().get(HOST_WORD, third));
      List<String> told =
          scene.explanations().stream()
              .filter(why -> why.contains("after it was fetched"))
              .toList();
      if (told.isEmpty()) {
        place.expect(TARGET, WORD_BYTES, 1);
      } else {
        Check.equal("the third completion", WorkOpcode.NOP, changed.opcode());
        place.expectUntouched(TARGET, WORD_BYTES);
      }
      return told;
    }
  }

  /** The bytes of a word as they are in the WQE of an atomic. */
  static String bytes(long word) {
    return HexFormat.ofDelimiter(" ").formatHex(ByteBuffer.allocate(8).putLong(word).array());
  }
}
