package dev.bluebell.lab.storm;

import static dev.bluebell.verbs.Access.LOCAL_WRITE;
import static dev.bluebell.verbs.Access.REMOTE_ATOMIC;
import static dev.bluebell.verbs.Access.REMOTE_READ;
import static dev.bluebell.verbs.Access.REMOTE_WRITE;

import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaException;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.DcStreamInitiator;
import dev.bluebell.verbs.DcTarget;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.IndirectRegion;
import dev.bluebell.verbs.ListPieces;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.SharedReceiveQueue;
import dev.bluebell.verbs.TagHeader;
import dev.bluebell.verbs.TagMatchingReceiveQueue;
import dev.bluebell.verbs.WindowRights;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Attacks by requests on queue pairs; {@link Attack} lists them. */
final class QueueAttacks {
  private static final int PAGE = 4096;
  private static final int MIB = 1 << 20;
  private static final int SOME = 8;
  private static final long STOP_NANOS = 500_000_000;
  private static final WindowRights ALL =
      WindowRights.of(LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC);

  private QueueAttacks() {}

  static void heldPage(String name) {
    Site site = Site.open(name);
    MemoryRegion held = site.domain().register(HeldPage.allocate(PAGE), LOCAL_WRITE, REMOTE_WRITE);
    MemoryRegion memory = site.domain().allocate(PAGE, LOCAL_WRITE, REMOTE_WRITE);
    for (int i = 0; i < SOME; i++) {
      RcQueuePair queue = site.loop(ConnectOptions.DEFAULT);
      queue.write(memory.remote()).gather(held, 0, 8).signaled(0);
      queue.write(held.remote()).gather(memory, 0, 8).signaled(0);
      queue.ringDoorbell();
    }
    spin();
  }

  static void arming(String name) {
    Device device = Device.open(name);
    ProtectionDomain domain = device.allocateProtectionDomain();
    CompletionQueue completions = device.createCompletionQueue(1 << 20);
    for (int i = 0; i < 32; i++) {
      RcQueuePair queue = domain.rcQueuePair(completions).sendQueue(1 << 15).create();
      queue.connect(queue.endpoint());
      while (queue.freeWqebbs() > 0) {
        queue.nop().signaled(0);
      }
      queue.ringDoorbell();
    }
    while (true) {
      completions.arm(true);
    }
  }

  static void receiverNotReady(String name) {
    Site site = Site.open(name);
    ConnectOptions soon = ConnectOptions.DEFAULT.withMinRnrTimer(1);
    for (int i = 0; i < 2000; i++) {
      RcQueuePair queue = site.loop(soon);
      queue.send().signaled(0);
      queue.ringDoorbell();
    }
    spin();
  }

  static void longMessages(String name) {
    writeForEver(Site.open(name), 16, 4, 16 * MIB);
  }

  static void shortMessages(String name) {
    writeForEver(Site.open(name), 64, 32, 32);
  }

  static void oneByteBlocks(String name) {
    Site site = Site.open(name);
    MemoryRegion memory = site.domain().allocate(2 * MIB, Access.rights());
    RcQueuePair queue = site.loop(ConnectOptions.DEFAULT);
    IndirectRegion blocks = interleaved(site, queue, memory);
    again(
        site.completions(),
        16,
        () -> {
          queue.write(blocks.remote()).gather(memory, 0, MIB).signaled(0);
          queue.ringDoorbell();
        });
  }

  static void tags(String name) {
    Device device = Device.open(name);
    ProtectionDomain domain = device.allocateProtectionDomain();
    MemoryRegion memory = domain.allocate(PAGE, LOCAL_WRITE);
    CompletionQueue sends = device.createCompletionQueue(PAGE);
    CompletionQueue received = device.createCompletionQueue(PAGE);
    TagMatchingReceiveQueue receives =
        domain
            .tagMatchingReceiveQueue(received)
            .tags(1000)
            .operations(1024)
            .requests(1024)
            .create();
    for (int i = 0; i < 1000; i++) {
      int unused = receives.add(1, -1).scatter(memory, 0, 64).unsignaled(i);
    }
    receives.ringDoorbell();
    for (int i = 0; i < 1024; i++) {
      receives.receive().scatter(memory, 0, 64).post(i);
    }
    receives.ringReceiveDoorbell();
    RcQueuePair receiver = domain.rcQueuePair(received).receiveFrom(receives).create();
    RcQueuePair sender = domain.rcQueuePair(sends).sendQueue(64).create();
    sender.connect(receiver.endpoint());
    receiver.connect(sender.endpoint());
    TagHeader.eager(memory.segment(), 0, 2, 0);
    again(
        sends,
        64,
        () -> {
          sender.send().gather(memory, 0, TagHeader.BYTES).signaled(0);
          sender.ringDoorbell();
          int unused =
              received.poll(
                  done -> {
                    receives.receive().scatter(memory, 0, 64).post(done.id());
                    receives.ringReceiveDoorbell();
                  });
        });
  }

  static void dcSessions(String name) {
    Site site = Site.open(name);
    MemoryRegion memory = site.domain().allocate(PAGE, Access.rights());
    SharedReceiveQueue receives = site.domain().sharedReceiveQueue().create();
    List<DcStreamInitiator> initiators = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      initiators.add(
          site.domain().dcStreamInitiator(site.completions(), 64).sendQueue(64).create());
    }
    List<DcTarget> targets = new ArrayList<>();
    for (HcaException refused = null; refused == null; ) {
      try {
        targets.add(site.domain().dcTarget(site.completions(), receives).create());
      } catch (HcaException e) {
        refused = e;
      }
    }
    int[] sent = {0};
    again(
        site.completions(),
        32,
        () -> {
          int next = sent[0]++;
          DcStreamInitiator initiator = initiators.get(next % 16);
          DcTarget target = targets.get(next / 1024 % targets.size());
          initiator.stream(next / 16 % 64)
              .target(initiator.targetAddress(target.endpoint()))
              .write(memory.remote())
              .gather(memory, 0, 8)
              .signaled(0);
          initiator.ringDoorbell();
        });
  }

  static void copies(String name) {
    Site site = Site.open(name);
    MemoryRegion memory = site.domain().allocate(2 * MIB, Access.rights());
    RcQueuePair queue = site.domain().rcQueuePair(site.completions()).memoryCopies(true).create();
    queue.connect(queue.endpoint());
    IndirectRegion from = interleaved(site, queue, memory);
    IndirectRegion to = interleaved(site, queue, memory);
    again(
        site.completions(),
        16,
        () -> {
          queue.copyMemory(0, from.lkey(), 0, to.lkey(), MIB).signaled(0);
          queue.ringDoorbell();
        });
  }

  static void layouts(String name) {
    Site site = Site.open(name);
    MemoryRegion memory = site.domain().allocate(PAGE, Access.rights());
    RcQueuePair queue = site.domain().rcQueuePair(site.completions()).sendQueue(1024).create();
    queue.connect(queue.endpoint());
    IndirectRegion region = site.domain().allocateIndirect(52);
    again(
        site.completions(),
        32,
        () -> {
          ListPieces list = queue.layoutList(region, ALL).piece(memory, 0, 64);
          for (int i = 1; i < 52; i++) {
            list = list.piece(memory, i, 64);
          }
          list.signaled(0);
          queue.ringDoorbell();
        });
  }

  static void loop(String name) {
    Device device = Device.open(name);
    ProtectionDomain domain = device.allocateProtectionDomain();
    CompletionQueue completions = device.createCompletionQueue(16);
    for (int i = 0; i < 4; i++) {
      EndlessLoop.start(domain, completions);
      await(completions);
    }
    long unused = device.handOver("storm");
    spin();
  }

  static void stopped(String name) throws IOException {
    Site site = Site.open(name);
    MemoryRegion memory =
        site.domain().register(Arena.global().allocate(16 * MIB, PAGE), Access.rights());
    for (int i = 0; i < SOME; i++) {
      RcQueuePair queue = site.loop(ConnectOptions.DEFAULT);
      for (int j = 0; j < 64; j++) {
        write(queue, j, memory, 8 * MIB);
      }
      HcaDiagnosis diagnosis = Site.hca(name).diagnosis().orElseThrow();
      Thread unused =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (true) {
                      diagnosis.flightRecord();
                    }
                  });
    }
    LockSupport.parkNanos(STOP_NANOS);
    Process unused =
        new ProcessBuilder("kill", "-STOP", "" + ProcessHandle.current().pid()).start();
    spin();
  }

  /** Keeps a number of messages under way on each of some queue pairs. */
  private static void writeForEver(Site site, int queues, int depth, long bytes) {
    MemoryRegion memory = site.domain().allocate(2 * bytes, LOCAL_WRITE, REMOTE_WRITE);
    List<RcQueuePair> pairs = new ArrayList<>();
    for (int i = 0; i < queues; i++) {
      pairs.add(site.loop(ConnectOptions.DEFAULT));
      for (int j = 0; j < depth; j++) {
        write(pairs.get(i), i, memory, bytes);
      }
    }
    while (true) {
      int unused =
          site.completions()
              .poll(
                  done -> {
                    int index = (int) done.id();
                    write(pairs.get(index), index, memory, bytes);
                  });
    }
  }

  private static void write(RcQueuePair queue, long id, MemoryRegion memory, long bytes) {
    queue
        .write(memory.address() + memory.length() / 2, memory.rkey())
        .gather(memory, 0, (int) bytes)
        .signaled(id);
    queue.ringDoorbell();
  }

  /** Creates a key for every other byte of a region, as interleaved blocks of 1 byte. */
  private static IndirectRegion interleaved(Site site, RcQueuePair queue, MemoryRegion memory) {
    IndirectRegion blocks = site.domain().allocateIndirect(2);
    queue.layoutInterleaved(blocks, MIB, ALL).piece(memory, 0, 1, 1).signaled(0);
    queue.ringDoorbell();
    await(site.completions());
    return blocks;
  }

  private static void await(CompletionQueue completions) {
    while (completions.poll(done -> require(done, completions)) == 0) {
      Thread.onSpinWait();
    }
  }

  private static void require(Completion done, CompletionQueue completions) {
    if (done.status() != CompletionStatus.SUCCESS) {
      throw new IllegalStateException("the attack failed: " + completions.diagnose());
    }
  }

  /** Posts {@code times} times, and then once more for each completion. */
  private static void again(CompletionQueue completions, int times, Runnable post) {
    for (int i = 0; i < times; i++) {
      post.run();
    }
    while (true) {
      int unused =
          completions.poll(
              done -> {
                require(done, completions);
                post.run();
              });
    }
  }

  private static void spin() {
    while (true) {
      Thread.onSpinWait();
    }
  }
}
