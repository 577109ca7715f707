package dev.bluebell.cli.demo;

import dev.bluebell.verbs.DcInitiator;
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

  /** An initiator goes from target to target; a SEND and a WRITE to each. */
  static String targets(Stage stage) {
    Place left = stage.place();
    Place right = stage.place();
    SharedReceiveQueue receives = stage.domain().sharedReceiveQueue().create();
    DcInitiator from = stage.domain().dcInitiator(left.completions()).create();
    List<DcTargetAddress> targets = new ArrayList<>();
    for (int i = 0; i < TARGETS; i++) {
      DcTarget target = stage.domain().dcTarget(right.completions(), receives).create();
      targets.add(from.targetAddress(target.endpoint()));
      receives.receive().scatter(right.address(STRIDE * i), BYTES, right.lkey()).post(i);
      left.fill(STRIDE * i, BYTES, 60 + i);
    }
    receives.ringDoorbell();
    stage.start();
    for (int i = 0; i < TARGETS; i++) {
      DcTargetAddress target = targets.get(i);
      from.target(target).send().gather(left.address(STRIDE * i), BYTES, left.lkey()).unsignaled(0);
      from.target(target)
          .write(right.address(8192 + STRIDE * i), right.rkey())
          .gather(left.address(STRIDE * i), BYTES, left.lkey())
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
}
