package dev.bluebell.cli.demo;

import static dev.bluebell.cli.demo.BigEndian.INT;
import static dev.bluebell.cli.demo.Finding.REQUESTER;

import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.verbs.CompletionStatus;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.Consumer;

/** WQEs with wrong bytes, as in applications that write their own WQEs. */
final class RequestMishaps {

  /** An opcode without a name in public user-space headers, and without a user. */
  private static final byte BIND_MW = 0x18;

  private static final long OPCODE_WORD = 0;
  private static final long OPCODE_BYTE = 3;
  private static final long QPN_DS_WORD = 4;
  private static final long DS_BYTE = 7;
  private static final long FIRST_DATA_WORD = 32;

  private RequestMishaps() {}

  static List<Mishap> all() {
    return List.of(
        new Mishap("wrong-opcode", "a WQE whose opcode was overwritten", RequestMishaps::opcode),
        new Mishap(
            "unused-opcode", "a bind with the opcode that no driver uses", RequestMishaps::bind),
        new Mishap("wrong-wqe-index", "a WQE whose index was overwritten", RequestMishaps::index),
        new Mishap("wrong-qpn", "the QPN of another queue in a WQE", RequestMishaps::qpn),
        new Mishap("wrong-ds", "a WQE whose length was overwritten", RequestMishaps::size),
        new Mishap(
            "empty-data-segment", "a data segment of length 0", RequestMishaps::emptySegment),
        new Mishap(
            "inline-beyond-ds", "inline data longer than the WQE", RequestMishaps::inlineBeyond));
  }

  /**
   * Posts a WRITE and fails it.
   *
   * @param corruption changes the ring before the device reads it
   */
  private static List<Finding> corrupted(
      Scene scene, Consumer<MemorySegment> corruption, CompletionStatus expected) {
    Pair pair = scene.stage().pair();
    Side left = pair.left();
    pair.postWrite(64);
    corruption.accept(scene.ring(left));
    left.queuePair().ringDoorbell();
    return List.of(Scene.failure(REQUESTER, left, expected));
  }

  private static List<Finding> malformed(Scene scene, Consumer<MemorySegment> corruption) {
    return corrupted(scene, corruption, CompletionStatus.LOCAL_QP_OPERATION_ERROR);
  }

  private static List<Finding> opcode(Scene scene) {
    scene.wrote("opcode (byte 3 of the control segment)", "0x7f", "0x08 (RDMA_WRITE)");
    return malformed(scene, ring -> ring.set(ValueLayout.JAVA_BYTE, OPCODE_BYTE, (byte) 0x7f));
  }

  private static List<Finding> bind(Scene scene) {
    scene.wrote(
        "opcode (byte 3 of the control segment)",
        "0x%02x".formatted(BIND_MW),
        "0x%02x (UMR)".formatted(WqeOpcode.UMR));
    return malformed(scene, ring -> ring.set(ValueLayout.JAVA_BYTE, OPCODE_BYTE, BIND_MW));
  }

  private static List<Finding> index(Scene scene) {
    scene.wrote("wqe_index (bytes 1–2 of the control segment)", 9, 0);
    return malformed(scene, ring -> ring.set(INT, OPCODE_WORD, 9 << 8 | WqeOpcode.RDMA_WRITE));
  }

  private static List<Finding> qpn(Scene scene) {
    scene.wrote("qpn (bytes 4–6 of the control segment)", "0x4711", "the queue's own QPN");
    return malformed(scene, ring -> ring.set(INT, QPN_DS_WORD, 0x4711 << 8 | 3));
  }

  private static List<Finding> size(Scene scene) {
    scene.wrote("ds (byte 7 of the control segment)", 1, 3);
    return malformed(scene, ring -> ring.set(ValueLayout.JAVA_BYTE, DS_BYTE, (byte) 1));
  }

  private static List<Finding> emptySegment(Scene scene) {
    scene.wrote("byte_count of the data segment", 0, "64, or no segment at all");
    return corrupted(
        scene, ring -> ring.set(INT, FIRST_DATA_WORD, 0), CompletionStatus.LOCAL_LENGTH_ERROR);
  }

  private static List<Finding> inlineBeyond(Scene scene) {
    scene.wrote("the inline header", "0x800000c8: 200 bytes", "at most 12 bytes, as ds is 3");
    return corrupted(
        scene,
        ring -> ring.set(INT, FIRST_DATA_WORD, 0x8000_00c8),
        CompletionStatus.LOCAL_LENGTH_ERROR);
  }
}
