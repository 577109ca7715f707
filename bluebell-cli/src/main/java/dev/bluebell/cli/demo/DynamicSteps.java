package dev.bluebell.cli.demo;

import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.DcInitiator;
import dev.bluebell.verbs.DcStreamInitiator;
import dev.bluebell.verbs.DcTarget;
import dev.bluebell.verbs.DcTargetAddress;
import dev.bluebell.verbs.SharedReceiveQueue;
import java.util.ArrayList;
import java.util.List;

/** Dynamic connections. */
final class DynamicSteps {
  private static final int BYTES = 64;
  private static final int TARGETS = 3;
  private static final long STRIDE = 1024;

  private DynamicSteps() {}

  /** An initiator moves from target to target, with a SEND and a WRITE to each. */
  static String targets(Stage stage) {
    Place left = stage.place();
    Place right = stage.place();
    SharedReceiveQueue receives = stage.domain().sharedReceiveQueue().create();
    DcInitiator from = stage.domain().dcInitiator(left.completions()).create();
    List<DcTargetAddress> targets = new ArrayList<>();
    for (int i = 0; i < TARGETS; i++) {
      DcTarget target = stage.domain().dcTarget(right.completions(), receives).create();
      targets.add(from.targetAddress(target.endpoint()));
      receives.receive().scatter(right.region(), STRIDE * i, BYTES).post(i);
      left.fill(STRIDE * i, BYTES, 60 + i);
    }
    receives.ringDoorbell();
    stage.start();
    for (int i = 0; i < TARGETS; i++) {
      DcTargetAddress target = targets.get(i);
      from.target(target).send().gather(left.region(), STRIDE * i, BYTES).unsignaled(0);
      from.target(target)
          .write(right.remote(8192 + STRIDE * i))
          .gather(left.region(), STRIDE * i, BYTES)
          .signaled(i);
      from.ringDoorbell();
      left.await();
      Check.equal("the id of the receive", (long) i, right.await().id());
    }
    stage.stop();
    for (int i = 0; i < TARGETS; i++) {
      right.expect(STRIDE * i, BYTES, 60 + i);
      right.expect(8192 + STRIDE * i, BYTES, 60 + i);
    }
    return "6 x 64 B";
  }

  /**
   * A refused request stops only its own stream: another stream continues, and a reset repairs the
   * first.
   */
  static String streams(Stage stage) {
    Place left = stage.place();
    Place right = stage.place();
    SharedReceiveQueue receives = stage.domain().sharedReceiveQueue().create();
    DcStreamInitiator from = stage.domain().dcStreamInitiator(left.completions(), 2).create();
    // When this target refuses a request, it ends only the session of that stream.
    DcTarget target = stage.domain().dcTarget(right.completions(), receives).create();
    DcTargetAddress to = from.targetAddress(target.endpoint());
    left.fill(0, 3 * BYTES, 63);
    stage.start();
    write(from, 0, to, left, right, 0, right.rkey() ^ 1);
    Check.that(left.awaitAny().status() != CompletionStatus.SUCCESS, "a wrong key was not refused");
    write(from, 1, to, left, right, 1, right.rkey());
    Check.equal("the id on the other stream", 1L, left.await().id());
    from.stream(0).reset();
    write(from, 0, to, left, right, 2, right.rkey());
    Check.equal("the id after the reset", 2L, left.await().id());
    stage.stop();
    right.expectUntouched(0, BYTES);
    left.segment().asSlice(0, BYTES).fill((byte) 0);
    Check.that(
        left.segment().asSlice(0, 3 * BYTES).mismatch(right.segment().asSlice(0, 3 * BYTES)) < 0,
        "the data of the streams is wrong");
    return "2 x 64 B";
  }

  private static void write(
      DcStreamInitiator from,
      int stream,
      DcTargetAddress to,
      Place left,
      Place right,
      int index,
      int rkey) {
    long offset = (long) index * BYTES;
    from.stream(stream)
        .target(to)
        .write(right.address(offset), rkey)
        .gather(left.region(), offset, BYTES)
        .signaled(index);
    from.ringDoorbell();
  }
}
