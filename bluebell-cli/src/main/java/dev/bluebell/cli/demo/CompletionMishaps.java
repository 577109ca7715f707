package dev.bluebell.cli.demo;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionQueueOptions;
import dev.bluebell.verbs.RcQueuePair;
import java.util.List;

/** Pollers that read the completion ring in a wrong way. */
final class CompletionMishaps {
  private static final int ENTRIES = 4;

  private CompletionMishaps() {}

  static List<Mishap> all() {
    return List.of(
        new Mishap(
            "ring-of-zeros", "a completion ring that starts as zeros", CompletionMishaps::zeros),
        new Mishap(
            "owner-bit-only",
            "a poller that tests the owner bit only",
            CompletionMishaps::ownerOnly),
        new Mishap(
            "opcode-only",
            "a poller that does not test the owner bit",
            CompletionMishaps::opcodeOnly),
        new Mishap(
            "wrong-half", "a 128-byte entry read in its first half", CompletionMishaps::wrongHalf),
        new Mishap(
            "stale-consumer-index",
            "a poller that does not write its consumer index",
            CompletionMishaps::staleConsumer));
  }

  static List<Finding> zeros(Scene scene) {
    Pair pair = scene.stage().pair();
    CompletionQueue completions = pair.left().completions();
    scene.ring(completions).fill((byte) 0);
    RawPoller poller = new RawPoller(scene.ring(completions));
    Check.that(poller.sees(0), "the poller sees nothing");
    scene.wrote("op_own of every entry", "0x00", "0xf0");
    return List.of(
        Finding.phantom(
            "a completion of a request that was never posted: " + poller.read(0),
            completions.diagnose()));
  }

  private static List<Finding> ownerOnly(Scene scene) {
    Pair pair = scene.stage().pair();
    RawPoller poller = new RawPoller(scene.ring(pair.left().completions()));
    Check.that(poller.hasOwner(0) && !poller.hasOpcode(0), "the poller sees what it should");
    scene.wrote(
        "the test of op_own 0x%02x".formatted(poller.opOwn(0)),
        "the owner bit",
        "the owner bit and opcode != 0xf");
    return List.of(
        Finding.phantom(
            "a completion of a request that was never posted: " + poller.read(0),
            pair.left().completions().diagnose()));
  }

  /** Four completed requests, whose completions were polled. */
  private static CompletionQueue oncePolled(Scene scene) {
    CompletionQueue small = scene.device().createCompletionQueue(ENTRIES);
    RcQueuePair left = scene.stage().connected(small);
    for (int i = 0; i < ENTRIES; i++) {
      left.nop().signaled(i);
      left.ringDoorbell();
      scene.settle();
      Check.equal("completions", 1, small.poll(completion -> {}));
    }
    return small;
  }

  private static List<Finding> opcodeOnly(Scene scene) {
    CompletionQueue small = oncePolled(scene);
    RawPoller poller = new RawPoller(scene.ring(small));
    Check.that(poller.hasOpcode(ENTRIES) && !poller.hasOwner(ENTRIES), "the poller is right");
    scene.wrote(
        "the test of op_own 0x%02x".formatted(poller.opOwn(ENTRIES)),
        "opcode != 0xf",
        "opcode != 0xf and the owner bit");
    return List.of(
        Finding.phantom(
            "a completion that was already polled: " + poller.read(ENTRIES), small.diagnose()));
  }

  private static List<Finding> wrongHalf(Scene scene) {
    CompletionQueue large =
        scene
            .device()
            .createCompletionQueue(
                ENTRIES, CompletionQueueOptions.DEFAULT.withCqeBytes(Cqe.BYTES_128));
    RcQueuePair left = scene.stage().connected(large);
    left.nop().signaled(0);
    left.ringDoorbell();
    scene.settle();
    RawPoller first = new RawPoller(scene.ring(large), Cqe.BYTES_128, 0);
    RawPoller second = new RawPoller(scene.ring(large), Cqe.BYTES_128, Cqe.BYTES);
    Check.that(second.sees(0), "there is no completion");
    scene.wrote("the byte that is read as op_own", 63, 127);
    return List.of(
        Finding.phantom(
            "byte 63 has " + first.read(0),
            "an entry of 128 bytes has its completion in the second half, and byte 127 has %s; the first half is for data, here zeros, which look like a completion of QP 0"
                .formatted(second.read(0))));
  }

  static List<Finding> staleConsumer(Scene scene) throws InterruptedException {
    CompletionQueue small = scene.device().createCompletionQueue(ENTRIES);
    RcQueuePair left = scene.stage().connected(small);
    RawPoller poller = new RawPoller(scene.ring(small));
    for (int i = 0; i <= ENTRIES; i++) {
      left.nop().signaled(i);
      left.ringDoorbell();
      if (i < ENTRIES) {
        int index = i;
        scene.until("NOP " + i, () -> poller.sees(index));
      }
    }
    scene.wrote("the consumer index in the doorbell record", 0, ENTRIES);
    return List.of(scene.overrun());
  }
}
