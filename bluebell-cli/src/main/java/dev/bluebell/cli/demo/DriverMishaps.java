package dev.bluebell.cli.demo;

import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.hca.HcaException;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.NotOwnerException;
import dev.bluebell.verbs.RcQueuePair;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Mistakes that the driver refuses, or reports during a poll. */
final class DriverMishaps {
  private DriverMishaps() {}

  static List<Mishap> all() {
    return List.of(
        new Mishap("cq-overrun", "a completion queue that is too small", DriverMishaps::overrun),
        new Mishap(
            "unsignalled",
            "a send queue filled without any signalled request",
            DriverMishaps::unsignaled),
        new Mishap("half-built", "a request left half built", DriverMishaps::halfBuilt),
        new Mishap("not-owner", "a queue that two threads use", DriverMishaps::notOwner),
        new Mishap(
            "another-device", "an endpoint of another device", DriverMishaps::anotherDevice));
  }

  static List<Finding> notOwner(Scene scene) throws InterruptedException {
    RcQueuePair left = scene.stage().pair().left().queuePair();
    left.nop().signaled(1);
    List<Finding> findings = new CopyOnWriteArrayList<>();
    Thread other = Thread.ofPlatform().name("other").start(() -> post(left, findings));
    other.join();
    Check.equal("refusals of the other thread", 1, findings.size());
    return List.copyOf(findings);
  }

  private static void post(RcQueuePair queuePair, List<Finding> findings) {
    try {
      queuePair.nop().signaled(2);
    } catch (NotOwnerException e) {
      findings.add(Finding.refusal(e));
    }
  }

  static List<Finding> anotherDevice(Scene scene) {
    CompletionQueue completions = scene.device().createCompletionQueue(4);
    RcQueuePair left = scene.stage().domain().rcQueuePair(completions).create();
    try (Device other = Device.open("soft:engine=poll,identity=2")) {
      RcQueuePair right =
          other.allocateProtectionDomain().rcQueuePair(other.createCompletionQueue(4)).create();
      left.connect(right.endpoint());
    } catch (HcaException e) {
      return List.of(Finding.refusal(e));
    }
    throw new WorkFailed("the queue pair was connected to one of another device");
  }

  static List<Finding> overrun(Scene scene) throws InterruptedException {
    CompletionQueue small = scene.device().createCompletionQueue(4);
    RcQueuePair left = scene.stage().connected(small);
    for (int i = 0; i < 8; i++) {
      left.nop().signaled(i);
    }
    left.ringDoorbell();
    return List.of(scene.overrun(), Finding.refusal(pollUntilItThrows(small)));
  }

  private static IllegalStateException pollUntilItThrows(CompletionQueue completions) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < Place.PATIENCE.toNanos()) {
      try {
        completions.poll(completion -> {});
      } catch (IllegalStateException e) {
        return e;
      }
    }
    throw new WorkFailed("polling the overrun queue did not throw");
  }

  static List<Finding> unsignaled(Scene scene) {
    RcQueuePair left = scene.stage().pair().left().queuePair();
    try {
      for (int i = 0; i <= left.sendQueueWqebbs(); i++) {
        left.nop().unsignaled(i);
      }
    } catch (IllegalStateException e) {
      return List.of(Finding.refusal(e));
    }
    throw new WorkFailed("the queue took more requests than fit");
  }

  static List<Finding> halfBuilt(Scene scene) {
    Pair pair = scene.stage().pair();
    RcQueuePair left = pair.left().queuePair();
    var forgotten = left.write(pair.right().remote(0));
    try {
      left.ringDoorbell();
    } catch (IllegalStateException e) {
      Check.that(left.dropUnfinished(), "there was no half-built request to drop: " + forgotten);
      return List.of(Finding.refusal(e));
    }
    throw new WorkFailed("the doorbell rang for a request that was half built");
  }
}
