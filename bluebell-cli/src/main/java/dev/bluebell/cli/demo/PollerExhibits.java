package dev.bluebell.cli.demo;

import static dev.bluebell.cli.demo.BigEndian.INT;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.CqeCompression;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Failures of applications that poll the completion ring themselves. */
final class PollerExhibits {
  private static final int BYTES = 64;
  private static final int ENTRIES = 4;
  private static final int ROUNDS = 3;
  private static final int POLLS = 1000;
  private static final int COMPRESSED = 32;
  private static final int SEED = 91;

  private PollerExhibits() {}

  static List<Exhibit> all() {
    return List.of(
        Exhibit.of(
            "nccl-2383",
            "a poller takes an error CQE for \"not yet\"",
            List.of("NVIDIA/nccl#2383", "deepseek-ai/DeepEP#558"),
            "A GPU kernel that waits for a completion never returns, about once in 10 to 50 runs,"
                + " and all ranks wait for it. Dumps of the queues show a completion with syndrome"
                + " 0x15 (vendor 0x83) on one connection, and 0x05 on the queue that was flushed."
                + " DeepEP#558 asks why its poller does not look at the opcode either.",
            new Story(
                "The poller leaves its loop only for a successful completion. An error CQE is a"
                    + " completion, too, and no successful one follows it: the queue pair is in the"
                    + " error state, and the slot will not change again.",
                "Test ownership first and the opcode second. On REQ_ERR or RESP_ERR, return the"
                    + " syndrome to the caller. To use the queue pair again, reset both ends and"
                    + " connect them."),
            List.of("REQ_ERR, syndrome 0x15", "no response came", "has not been polled"),
            PollerExhibits::deafPoller,
            PollerExhibits::attentivePoller),
        Exhibit.of(
            "rocm-xio-100-zeroed-cqes",
            "zeroed CQEs are taken for valid ones",
            List.of("ROCm/rocm-xio#100"),
            "A pull request for GPU-initiated RDMA writes 0xff to op_own of each entry, because the"
                + " poller took entries of zeros for completions.",
            new Story(
                "In the first pass round the ring, a new entry has owner 0, and opcode 0 is that of"
                    + " a send request's completion. So an entry of zeros passes every test that a"
                    + " poller can make.",
                "Write 0xff to op_own of each entry before the queue is created, as the report's"
                    + " authors did; rdma-core writes 0xf0."),
            List.of("whose byte 63 is 0x00", "so a poll takes it"),
            CompletionMishaps::zeros,
            PollerExhibits::initialized),
        Exhibit.of(
            "rocm-xio-100-consumer-index",
            "the consumer index is never written",
            List.of("ROCm/rocm-xio#100"),
            "A pull request for GPU-initiated RDMA writes the consumer index to the completion"
                + " queue's doorbell record after each entry, so that the device can use the slots"
                + " again.",
            new Story(
                "The device learns from the doorbell record which entries are free. If the record"
                    + " is never written, the queue is full after one pass, and the next completion"
                    + " overruns it.",
                "Write the number of consumed entries to the record after each poll: big-endian, 24"
                    + " bits."),
            List.of("consumer index 0 in the doorbell record"),
            CompletionMishaps::staleConsumer,
            PollerExhibits::consumerIndexWritten),
        Exhibit.of(
            "transferbench-239",
            "more signalled requests than the completion queue holds",
            List.of("ROCm/TransferBench#239"),
            "A benchmark with many queue pairs hangs in ibv_poll_cq. Each request is signalled, and"
                + " the completion queue overflows.",
            new Story(
                "All queue pairs share the completion queue, and more of their requests are"
                    + " outstanding than it has entries. The completion that finds no free entry"
                    + " puts the queue into an error state, in which it delivers nothing more.",
                "Give the queue an entry for each request that may be outstanding, or signal every"
                    + " n-th request and wait before the queue is full. The proposed fix does the"
                    + " latter."),
            List.of("its 4 entries are full"),
            DriverMishaps::overrun,
            PollerExhibits::fewerSignals),
        Exhibit.of(
            "copyrpc-compression",
            "a poller expects the other layout of compressed CQEs",
            List.of("namachan10777/copyrpc"),
            "The notes of copyrpc, a Rust project with its own driver for ConnectX: with CQE"
                + " compression on a ConnectX-7, a benchmark hangs after some 20 completions, and"
                + " another test after 2 of its first 32 requests. Comparing byte 62 of each entry"
                + " instead of the owner bit does not help.",
            new Story(
                "mlx5dv_create_cq gives a queue the basic layout: a title with the number of"
                    + " completions, then arrays of 8. The poller was modelled on the part of UCX"
                    + " that reads the enhanced layout, which has blocks of up to 7 and counts"
                    + " rounds in byte 62. Entries do not say which layout the queue has.",
                "Read the layout that the queue was created with."),
            List.of("op_own 0x0c"),
            CompressionMishaps::basicAsEnhanced,
            PollerExhibits::compressed));
  }

  private static List<Finding> deafPoller(Scene scene) {
    Pair pair = lonely(scene);
    RawPoller poller = new RawPoller(scene.ring(pair.left().completions()));
    scene.until("the failure", () -> poller.sees(0));
    for (int i = 0; i < POLLS; i++) {
      scene.device().progress();
      Check.that(
          !poller.hasOwner(0) || Cqe.opcode(poller.last(0)) != CqeOpcode.REQ, "it completed");
    }
    Check.equal("the syndrome", "TRANSPORT_RETRY_EXC_ERR", poller.syndromeName(0));
    scene.wrote(
        "op_own 0x%02x".formatted(poller.opOwn(0)),
        "taken for \"not yet\"",
        "taken for an error (opcode %s)".formatted(CqeOpcode.name(Cqe.opcode(poller.last(0)))));
    return List.of(
        scene.finding(
            "poller",
            "nothing in %d polls; its slot has %s".formatted(POLLS, poller.failure(0)),
            Finding.SILENCE,
            pair.left().completions().diagnose()));
  }

  /** A pair whose right end fails; the left one has posted a fetch-and-add. */
  private static Pair lonely(Scene scene) {
    Pair pair = scene.stage().pair(BYTES, MessageMishaps.IMPATIENT);
    pair.right().queuePair().toError();
    Side left = pair.left();
    left.queuePair().fetchAndAdd(pair.right().remote(0), 1).scatter(left.region(), 0).signaled(0);
    left.queuePair().ringDoorbell();
    return pair;
  }

  private static String attentivePoller(Scene scene) {
    Pair pair = lonely(scene);
    RawPoller poller = new RawPoller(scene.ring(pair.left().completions()));
    scene.until("the failure", () -> poller.sees(0));
    Check.equal("the opcode", CqeOpcode.REQ_ERR, Cqe.opcode(poller.last(0)));
    String failure = poller.syndromeName(0);
    pair.left().awaitAny();
    pair.left().queuePair().reset();
    pair.right().queuePair().reset();
    Stage.connect(pair.left().queuePair(), pair.right().queuePair());
    return "the poller returns %s; both ends are reset and connected, and %s"
        .formatted(failure, Museum.transfer(pair));
  }

  private static String initialized(Scene scene) {
    Pair pair = scene.stage().pair();
    MemorySegment ring = scene.ring(pair.left().completions());
    for (long at = Cqe.BYTES - 1; at < ring.byteSize(); at += Cqe.BYTES) {
      ring.set(ValueLayout.JAVA_BYTE, at, (byte) 0xff);
    }
    RawPoller poller = new RawPoller(ring);
    Check.that(!poller.hasOwner(0) && !poller.hasOpcode(0), "there is a completion");
    Runnable ringer = pair.left().queuePair()::ringDoorbell;
    return "the poller sees nothing first, then the completion; "
        + Museum.transfer(scene, pair, ringer);
  }

  private static String consumerIndexWritten(Scene scene) {
    CompletionQueue small = scene.device().createCompletionQueue(ENTRIES);
    Pair pair = paired(scene, small);
    Side left = pair.left();
    RawPoller poller = new RawPoller(scene.ring(small));
    MemorySegment record = scene.record(small);
    for (int i = 0; i < ROUNDS * ENTRIES; i++) {
      int index = i;
      left.fill(0, BYTES, SEED + i);
      pair.postWrite(BYTES);
      left.queuePair().ringDoorbell();
      scene.until("WRITE " + i, () -> poller.sees(index));
      Check.equal("the opcode", CqeOpcode.REQ, Cqe.opcode(poller.last(i)));
      record.set(INT, DoorbellRecord.CQ_SET_CI, i + 1);
      pair.right().expect(0, BYTES, SEED + i);
    }
    return "%d WRITEs complete on a queue of %d entries, and the data of each arrive"
        .formatted(ROUNDS * ENTRIES, ENTRIES);
  }

  /** A connected pair whose left end completes on a queue. */
  private static Pair paired(Scene scene, CompletionQueue completions) {
    Stage stage = scene.stage();
    return Stage.pair(
        stage.side(completions, COMPRESSED * BYTES, builder -> builder),
        stage.side(COMPRESSED * BYTES),
        ConnectOptions.DEFAULT);
  }

  private static String fewerSignals(Scene scene) {
    CompletionQueue small = scene.device().createCompletionQueue(ENTRIES);
    Pair pair = paired(scene, small);
    Side left = pair.left();
    left.fill(0, COMPRESSED * BYTES, SEED);
    for (int i = 0; i < COMPRESSED; i++) {
      var request =
          left.queuePair()
              .write(pair.right().remote((long) i * BYTES))
              .gather(left.region(), (long) i * BYTES, BYTES);
      if (i % ENTRIES == ENTRIES - 1) {
        request.signaled(i);
        left.ringAndAwait();
      } else {
        request.unsignaled(i);
      }
    }
    pair.right().expect(0, COMPRESSED * BYTES, SEED);
    return "%d WRITEs, of which every %dth is signalled, complete on a queue of %d entries, and their data arrive"
        .formatted(COMPRESSED, ENTRIES, ENTRIES);
  }

  private static String compressed(Scene scene) {
    Pair pair = paired(scene, scene.stage().compressed(4 * COMPRESSED, CqeCompression.BASIC));
    Side left = pair.left();
    left.fill(0, COMPRESSED * BYTES, SEED);
    for (int i = 0; i < COMPRESSED; i++) {
      left.queuePair()
          .write(pair.right().remote((long) i * BYTES))
          .gather(left.region(), (long) i * BYTES, BYTES)
          .signaled(i);
    }
    left.queuePair().ringDoorbell();
    for (int i = 0; i < COMPRESSED; i++) {
      Check.equal("the id of the completion", (long) i, left.await().id());
    }
    pair.right().expect(0, COMPRESSED * BYTES, SEED);
    return "a reader of the basic layout gets all %d completions in order, and the data arrive"
        .formatted(COMPRESSED);
  }
}
