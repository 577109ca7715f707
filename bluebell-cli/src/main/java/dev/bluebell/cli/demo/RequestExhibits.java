package dev.bluebell.cli.demo;

import static dev.bluebell.cli.demo.BigEndian.INT;
import static dev.bluebell.cli.demo.BigEndian.SHORT;
import static dev.bluebell.cli.demo.Finding.REQUESTER;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.UdQueuePair;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Failures of applications that write their own WQEs, with a wrong field. */
final class RequestExhibits {
  private static final int BYTES = 64;
  private static final int BATCH = 3;
  private static final int SEED = 92;

  // Offsets in an RDMA WRITE with one data segment.
  private static final long WQE_INDEX = 1;
  private static final long RKEY = 24;
  private static final long LKEY = 36;

  private RequestExhibits() {}

  static List<Exhibit> all() {
    return List.of(
        Exhibit.of(
            "rocm-xio-100-key-order",
            "keys in the byte order of the host",
            List.of("ROCm/rocm-xio#100"),
            "A pull request for GPU-initiated RDMA on a ConnectX-7 fixes the byte order of the keys"
                + " in the WQE.",
            new Story(
                "All fields of a WQE are big-endian. A key that is stored as an integer of a"
                    + " little-endian host names another key or no key at all: its index is in the"
                    + " upper 24 bits, its tag in the lower 8.",
                "Convert lkey and rkey with htobe32 when the WQE is written, once."),
            List.of("lkey", "Its bytes are in the wrong order"),
            RequestExhibits::hostOrder,
            RequestExhibits::wireOrder),
        Exhibit.of(
            "deepep-305",
            "all WQEs of a batch have the index of the first",
            List.of("deepseek-ai/DeepEP#305"),
            "The pull request corrects the WQE index of RDMA WRITEs when a warp posts more than"
                + " one. It names no symptom.",
            new Story(
                "wqe_index counts WQEBBs of 64 bytes. Each WQE of a batch has the index of its own"
                    + " first WQEBB.",
                "Write base + i to the WQE that starts i WQEBBs after the first."),
            List.of("wqe_index in the control segment is 0, and should be 1"),
            RequestExhibits::sameIndex,
            RequestExhibits::ownIndices),
        Exhibit.of(
            "ucx-3618",
            "a first request that fails with vendor code 0x68",
            List.of("openucx/ucx#3618", "openucx/ucx#1151"),
            "A test of UCX aborts at the first send of a UD queue pair: local QP operation error,"
                + " syndrome 0x2, vendor 0x68, hardware syndrome 0/31. Another one aborts on a DC"
                + " queue pair, at a masked compare-and-swap, with the same codes.",
            new Story(
                "On this device, a wrong wqe_index gives this status and vendor code. Here the"
                    + " application does not restart its count when the queue pair is reset, as if"
                    + " it had already posted one WQEBB. A queue pair counts from 0 after each"
                    + " reset.",
                "Set the producer counter and the doorbell record to 0 when the queue pair is"
                    + " reset."),
            List.of("wqe_index in the control segment is 1, and should be 0", "vendor 0x68"),
            RequestExhibits::countedOn,
            RequestExhibits::countedAnew));
  }

  private static List<Finding> hostOrder(Scene scene) {
    Pair pair = scene.stage().pair();
    Side left = pair.left();
    pair.postWrite(BYTES);
    MemorySegment ring = scene.ring(left);
    for (long field : List.of(LKEY, RKEY)) {
      int right = ring.get(INT, field);
      ring.set(INT, field, Integer.reverseBytes(right));
      scene.wrote(
          field == LKEY ? "lkey of the data segment" : "rkey of the raddr segment",
          "0x%08x",
          Integer.reverseBytes(right),
          right);
    }
    scene.wroteRequest(left);
    left.queuePair().ringDoorbell();
    return List.of(Scene.failure(REQUESTER, left, CompletionStatus.LOCAL_PROTECTION_ERROR));
  }

  private static String wireOrder(Scene scene) {
    Pair pair = scene.stage().pair();
    return Museum.transfer(
        scene,
        pair,
        () -> {
          MemorySegment ring = scene.ring(pair.left());
          ring.set(INT, LKEY, pair.left().lkey());
          ring.set(INT, RKEY, pair.right().rkey());
          pair.left().queuePair().ringDoorbell();
        });
  }

  /** Posts WRITEs of one WQEBB each to consecutive addresses. */
  private static void postBatch(Pair pair) {
    pair.left().fill(0, BATCH * BYTES, SEED);
    for (int i = 0; i < BATCH; i++) {
      long offset = (long) i * BYTES;
      pair.left()
          .queuePair()
          .write(pair.right().remote(offset))
          .gather(pair.left().region(), offset, BYTES)
          .signaled(i);
    }
  }

  /** Sets wqe_index of each WQE in the batch. */
  private static void index(MemorySegment ring, int step) {
    for (int i = 0; i < BATCH; i++) {
      ring.set(SHORT, (long) i * ControlSegment.WQEBB_BYTES + WQE_INDEX, (short) (i * step));
    }
  }

  private static List<Finding> sameIndex(Scene scene) {
    Pair pair = scene.stage().pair();
    Side left = pair.left();
    postBatch(pair);
    index(scene.ring(left), 0);
    scene.wrote("wqe_index of the three WQEs", "0, 0, 0", "0, 1, 2");
    left.ringAndAwait();
    return List.of(Scene.failure(REQUESTER, left, CompletionStatus.LOCAL_QP_OPERATION_ERROR));
  }

  private static String ownIndices(Scene scene) {
    Pair pair = scene.stage().pair();
    postBatch(pair);
    index(scene.ring(pair.left()), 1);
    pair.left().queuePair().ringDoorbell();
    for (int i = 0; i < BATCH; i++) {
      pair.left().await();
    }
    pair.right().expect(0, BATCH * BYTES, SEED);
    return "the data of all %d WRITEs arrive".formatted(BATCH);
  }

  /** Posts a datagram, without a doorbell. */
  private static Datagrams postedDatagram(Scene scene) {
    Datagrams datagrams = Datagrams.of(scene, UdQueuePair.HEADER_BYTES + BYTES);
    datagrams.left().fill(0, BYTES, SEED);
    datagrams.post(datagrams.to().endpoint(), BYTES);
    return datagrams;
  }

  private static List<Finding> countedOn(Scene scene) {
    Datagrams datagrams = postedDatagram(scene);
    scene.ring(datagrams.from()).set(SHORT, WQE_INDEX, (short) 1);
    scene.wrote("wqe_index of the first WQE of the UD queue pair", 1, 0);
    datagrams.from().ringDoorbell();
    Completion done = datagrams.left().awaitAny();
    Check.equal("the status", CompletionStatus.LOCAL_QP_OPERATION_ERROR, done.status());
    return List.of(Finding.completion(REQUESTER, done));
  }

  private static String countedAnew(Scene scene) {
    Datagrams datagrams = postedDatagram(scene);
    Check.equal("wqe_index", (short) 0, scene.ring(datagrams.from()).get(SHORT, WQE_INDEX));
    datagrams.from().ringDoorbell();
    datagrams.left().await();
    datagrams.right().await();
    datagrams.right().expect(UdQueuePair.HEADER_BYTES, BYTES, SEED);
    return "a datagram of %d bytes arrives".formatted(BYTES);
  }
}
