package dev.bluebell.cli.demo;

import dev.bluebell.verbs.CompletionStatus;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Bytes of a WQE that change between the driver's writing and the device's reading. */
final class CorruptionMishaps {
  private static final long INDEX_LOW_BYTE = 2;
  private static final long OPCODE_BYTE = 3;
  private static final long DS_BYTE = 7;

  private CorruptionMishaps() {}

  static List<Finding> opcode(Scene scene) {
    return corrupted(scene, OPCODE_BYTE, (byte) 0x7f);
  }

  static List<Finding> index(Scene scene) {
    return corrupted(scene, INDEX_LOW_BYTE, (byte) 9);
  }

  static List<Finding> size(Scene scene) {
    return corrupted(scene, DS_BYTE, (byte) 1);
  }

  private static List<Finding> corrupted(Scene scene, long offset, byte value) {
    Pair pair = scene.stage().pair();
    Side left = pair.left();
    Side right = pair.right();
    left.queuePair()
        .write(right.address(0), right.rkey())
        .gather(left.address(0), 64, left.lkey())
        .signaled(0);
    scene.ring(left).set(ValueLayout.JAVA_BYTE, offset, value);
    left.queuePair().ringDoorbell();
    return List.of(Scene.failure("requester", left, CompletionStatus.LOCAL_QP_OPERATION_ERROR));
  }
}
