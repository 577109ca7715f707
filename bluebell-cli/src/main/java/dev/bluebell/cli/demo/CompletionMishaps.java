package dev.bluebell.cli.demo;

import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.verbs.AsyncEvent;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionQueueOptions;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.RcQueuePair;
import java.time.Duration;
import java.util.List;

/** Pollers that read the ring of completions wrong. */
final class CompletionMishaps {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int ENTRIES = 4;

  private CompletionMishaps() {}

  static List<Mishap> all() {
    return List.of(
        new Mishap(
            "ring-of-zeros",
            "a completion ring that starts as zeros",
            new Story(
                "The first poll, before anything was posted, gives a completion of QP 0.",
                "In the first pass over the ring, new entries have owner 0, and opcode 0 is that of"
                    + " a send request's completion, so zeros look like completions.",
                "Write 0xf0 (opcode INVALID, as rdma-core does) or 0xf1 to op_own of every entry"
                    + " before the queue is created.",
                "rdma-core's and UCX's sources."),
            CompletionMishaps::zeros),
        new Mishap(
            "owner-bit-only",
            "a poller that tests the owner bit only",
            new Story(
                "Completions with opcode 0xf come before anything is posted.",
                "An entry that was never written may have the owner bit of the first pass, as"
                    + " rdma-core initialises it. Its opcode INVALID says that it is not a"
                    + " completion.",
                "Test both: the owner bit, and that the opcode is not 0xf.",
                "rdma-core's sources."),
            CompletionMishaps::ownerOnly),
        new Mishap(
            "opcode-only",
            "a poller that does not test the owner bit",
            new Story(
                "After as many completions as the ring has entries, old ones come again.",
                "Entries are not cleared when they are consumed. Only the owner bit distinguishes"
                    + " the entries of this pass from those of the previous one.",
                "Compare the owner bit with the lowest bit of index / entries.",
                "rdma-core's sources."),
            CompletionMishaps::opcodeOnly),
        new Mishap(
            "wrong-half",
            "a 128-byte entry read in its first half",
            new Story(
                "Byte 63 of the entry never changes; byte 127 does.",
                "The 64 bytes of a completion are the second half of an entry of 128. The first"
                    + " half is for data.",
                "Read op_own at byte 127, and all other fields 64 bytes further as well.",
                "rdma-core's sources."),
            CompletionMishaps::wrongHalf),
        new Mishap(
            "stale-consumer-index",
            "a poller that does not write its consumer index",
            new Story(
                "The completion queue works for exactly as many completions as it has entries. Then"
                    + " its queue pairs fail.",
                "The device reads from the doorbell record how many entries are free. If the record"
                    + " says that no entry is free, the next completion overruns the queue.",
                "Write the consumer index to the record after each poll: big-endian, 24 bits.",
                "The InfiniBand specification requires the event, and that queue pairs fail when"
                    + " they use the queue."),
            CompletionMishaps::staleConsumer));
  }

  static List<Finding> zeros(Scene scene) {
    Pair pair = scene.stage().pair();
    CompletionQueue completions = pair.left().completions();
    scene.ring(completions).fill((byte) 0);
    RawPoller poller = new RawPoller(scene.ring(completions));
    Check.that(poller.hasOwner(0) && poller.hasOpcode(0), "the poller sees nothing");
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
        "the owner bit, and opcode != 0xf");
    return List.of(
        Finding.phantom(
            "a completion of a request that was never posted: " + poller.read(0),
            pair.left().completions().diagnose()));
  }

  /** Four requests, whose completions were polled. */
  private static CompletionQueue oncePolled(Scene scene) {
    CompletionQueue small = scene.device().createCompletionQueue(ENTRIES);
    RcQueuePair left = connected(scene, small);
    for (int i = 0; i < ENTRIES; i++) {
      left.nop().signaled(i);
      left.ringDoorbell();
      scene.settle();
      Check.equal("completions", 1, small.poll(completion -> {}));
    }
    return small;
  }

  private static RcQueuePair connected(Scene scene, CompletionQueue completions) {
    RcQueuePair left = scene.stage().domain().rcQueuePair(completions).create();
    RcQueuePair right = scene.stage().domain().rcQueuePair(completions).create();
    Stage.connect(left, right, ConnectOptions.DEFAULT);
    return left;
  }

  private static List<Finding> opcodeOnly(Scene scene) {
    CompletionQueue small = oncePolled(scene);
    RawPoller poller = new RawPoller(scene.ring(small));
    Check.that(poller.hasOpcode(ENTRIES) && !poller.hasOwner(ENTRIES), "the poller is right");
    scene.wrote(
        "the test of op_own 0x%02x".formatted(poller.opOwn(ENTRIES)),
        "opcode != 0xf",
        "opcode != 0xf, and the owner bit");
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
    RcQueuePair left = connected(scene, large);
    left.nop().signaled(0);
    left.ringDoorbell();
    scene.settle();
    RawPoller first = new RawPoller(scene.ring(large), Cqe.BYTES_128, 0);
    RawPoller second = new RawPoller(scene.ring(large), Cqe.BYTES_128, Cqe.BYTES);
    Check.that(second.hasOwner(0) && second.hasOpcode(0), "there is no completion");
    scene.wrote("the byte that is read as op_own", 63, 127);
    return List.of(
        Finding.phantom(
            "byte 63 has " + first.read(0),
            "an entry of 128 bytes has its completion in the second half, and byte 127 has %s; the first half is for data, here zeros, which look like a completion of QP 0"
                .formatted(second.read(0))));
  }

  static List<Finding> staleConsumer(Scene scene) throws InterruptedException {
    CompletionQueue small = scene.device().createCompletionQueue(ENTRIES);
    RcQueuePair left = connected(scene, small);
    RawPoller poller = new RawPoller(scene.ring(small));
    for (int i = 0; i <= ENTRIES; i++) {
      left.nop().signaled(i);
      left.ringDoorbell();
      if (i < ENTRIES) {
        int index = i;
        scene.until("NOP " + i, () -> poller.hasOwner(index) && poller.hasOpcode(index));
      }
    }
    scene.wrote("the consumer index in the doorbell record", 0, ENTRIES);
    AsyncEvent event = scene.device().awaitEvent(PATIENCE);
    if (event == null) {
      throw new WorkFailed("no event reported the overrun");
    }
    Check.equal("the event", AsyncEvent.Type.CQ_ERROR, event.type());
    return List.of(
        new Finding(
            "device",
            "event %s, CQ 0x%x".formatted(event.type(), event.number()),
            scene.explanations(),
            Finding.EVENT));
  }
}
