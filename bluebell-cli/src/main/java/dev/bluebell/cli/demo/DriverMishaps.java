package dev.bluebell.cli.demo;

import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.hca.HcaException;
import dev.bluebell.verbs.AsyncEvent;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.NotOwnerException;
import dev.bluebell.verbs.RcQueuePair;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** Mistakes that the driver refuses, or reports when it polls. */
final class DriverMishaps {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private DriverMishaps() {}

  static List<Mishap> all() {
    return List.of(
        new Mishap(
            "cq-overrun",
            "a completion queue that is too small",
            new Story(
                "The device raises CQ_ERROR with syndrome 1, and the queue returns no further"
                    + " completions.",
                "More requests completed than the queue has entries, and the application did not"
                    + " poll in between. Unsignalled requests that fail need an entry too.",
                "Create the queue with at least as many entries as there can be outstanding"
                    + " requests, including receives, on all queue pairs that use it.",
                "The InfiniBand specification."),
            DriverMishaps::overrun),
        new Mishap(
            "unsignalled",
            "a send queue filled without any signalled request",
            new Story(
                "The send queue is full, and the completion queue is empty. With libibverbs,"
                    + " ibv_post_send returns ENOMEM, and no device hears of it.",
                "Slots of unsignalled requests are freed by the completion of a later request. If"
                    + " no request is signalled, no slot is ever freed.",
                "Signal at least one request per length of the ring.",
                "rdma-core's sources: only completions move the tail."),
            DriverMishaps::unsignaled),
        new Mishap(
            "half-built",
            "a request left half built",
            new Story(
                "The driver reports it when the doorbell is rung.",
                "The last call of the chain posts the request. Until then, nothing was added to the"
                    + " queue.",
                "End each request with signaled or unsignaled, or drop it with dropUnfinished.",
                "This driver's own rule."),
            DriverMishaps::halfBuilt),
        new Mishap(
            "not-owner",
            "a queue that two threads use",
            new Story(
                "The exception names the queue, the thread that owns it and the thread that tried"
                    + " to use it.",
                "A queue has one owner and no lock: two threads that post or poll would overwrite"
                    + " each other's requests and indices.",
                "Use each queue in one thread, or let its owner call handOver() before another"
                    + " thread uses it. A lock around all uses does not replace handOver().",
                "This driver's own rule: libmlx5 takes a lock for each queue unless told not to."
                    + " With -Dbluebell.checks=off there is no check, and the mistake later looks"
                    + " like an error of the device."),
            DriverMishaps::notOwner),
        new Mishap(
            "another-device",
            "an endpoint of another device",
            new Story(
                "Compare the GID in the endpoint with those of the device's ports.",
                "Each Device.open() of the embedded device makes another device with an address of"
                    + " its own. Without soft:listen=ADDRESS there is no network between them.",
                "Open one device for both ends, or the socket of one device process from both"
                    + " processes. To connect two devices, give each an address"
                    + " (soft:listen=ADDRESS).",
                "Only the software device behaves so. Cards reach whatever their network reaches;"
                    + " beyond it, requests end with TRANSPORT_RETRY_EXC_ERR."),
            DriverMishaps::anotherDevice));
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
    RcQueuePair left = scene.stage().domain().rcQueuePair(small).create();
    RcQueuePair right = scene.stage().domain().rcQueuePair(small).create();
    Stage.connect(left, right, ConnectOptions.DEFAULT);
    for (int i = 0; i < 8; i++) {
      left.nop().signaled(i);
    }
    left.ringDoorbell();
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
            Finding.EVENT),
        Finding.refusal(pollUntilItThrows(small)));
  }

  private static IllegalStateException pollUntilItThrows(CompletionQueue completions) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < TimeUnit.SECONDS.toNanos(PATIENCE.toSeconds())) {
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
    var forgotten = left.write(pair.right().address(0), pair.right().rkey());
    try {
      left.ringDoorbell();
    } catch (IllegalStateException e) {
      Check.that(left.dropUnfinished(), "there was no half-built request to drop: " + forgotten);
      return List.of(Finding.refusal(e));
    }
    throw new WorkFailed("the doorbell rang for a request that was half built");
  }
}
