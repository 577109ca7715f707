package dev.bluebell.lab.storm;

import static dev.bluebell.verbs.Access.LOCAL_WRITE;
import static dev.bluebell.verbs.Access.REMOTE_ATOMIC;
import static dev.bluebell.verbs.Access.REMOTE_READ;
import static dev.bluebell.verbs.Access.REMOTE_WRITE;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaResidents;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapIn;
import dev.bluebell.hca.command.CapabilityType;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.structure.View;
import dev.bluebell.server.LocalSocket;
import dev.bluebell.server.remote.SocketProvider;
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
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Attacks by which one client may deprive the others of a device. Each continues until it is
 * killed.
 */
enum Attack {
  MAPPINGS("UAR pages and shared memory, as many as it gets, again and again", 1) {
    @Override
    void run(String name) {
      Hca hca = open(name);
      ProtectionDomain domain = Device.open(name).allocateProtectionDomain();
      takeAll(
          () -> {
            AutoCloseable uar = hca.allocateUar();
            AutoCloseable memory = domain.allocate(PAGE, LOCAL_WRITE);
            return () -> {
              uar.close();
              memory.close();
            };
          });
    }
  },
  SILENCE("connections that say nothing", 1) {
    @Override
    void run(String name) {
      Deque<LocalSocket> open = new ArrayDeque<>();
      while (true) {
        try {
          open.add(LocalSocket.connect(path(name)));
        } catch (IOException e) {
          LockSupport.parkNanos(REST_NANOS);
        }
        if (open.size() > MANY) {
          open.remove().close();
        }
      }
    }
  },
  HELD_PAGE("payload on a page that never comes (userfaultfd)", 1) {
    @Override
    void run(String name) {
      Site site = Site.open(name);
      MemoryRegion held = site.domain.register(HeldPage.allocate(PAGE), LOCAL_WRITE, REMOTE_WRITE);
      MemoryRegion memory = site.domain.allocate(PAGE, LOCAL_WRITE, REMOTE_WRITE);
      for (int i = 0; i < SOME; i++) {
        RcQueuePair queue = site.loop(ConnectOptions.DEFAULT);
        queue.write(memory.remote()).gather(held, 0, 8).signaled(0);
        queue.write(held.remote()).gather(memory, 0, 8).signaled(0);
        queue.ringDoorbell();
      }
      spin();
    }
  },
  SUBSCRIPTIONS("event subscriptions, as many as it gets, and events", 1) {
    @Override
    void run(String name) {
      Hca hca = open(name);
      HcaEventChannel channel = hca.openEventChannel();
      long cookie = 0;
      while (true) {
        try {
          channel.subscribe(null, (int) (cookie % 255), cookie);
        } catch (HcaException full) {
          channel.close();
          channel = hca.openEventChannel();
        }
        cookie++;
      }
    }
  },
  ARMING("a CQ with a million unpolled entries, armed for solicited ones again and again", 1) {
    @Override
    void run(String name) {
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
  },
  COMMANDS("cheap commands from eight connections", 8) {
    @Override
    void run(String name) {
      byte[] command =
          View.command(QueryHcaCapIn.STRUCTURE, CommandOpcode.QUERY_HCA_CAP)
              .set(CmdIn.OP_MOD, CapabilityType.current(CapabilityType.GENERAL))
              .bytes();
      each(
          name,
          hca -> {
            byte[] unused = hca.execute(command.clone());
          });
    }
  },
  OBJECTS("protection domains, made and destroyed from eight connections", 8) {
    @Override
    void run(String name) {
      each(name, hca -> hca.allocateProtectionDomain().close());
    }
  },
  RECEIVER_NOT_READY("2,000 queue pairs whose receiver is never ready", 1) {
    @Override
    void run(String name) {
      Site site = Site.open(name);
      ConnectOptions soon = ConnectOptions.DEFAULT.withMinRnrTimer(1);
      for (int i = 0; i < 2000; i++) {
        RcQueuePair queue = site.loop(soon);
        queue.send().signaled(0);
        queue.ringDoorbell();
      }
      spin();
    }
  },
  LONG_MESSAGES("16 queue pairs with messages of 16 MiB", 1) {
    @Override
    void run(String name) {
      writeForEver(Site.open(name), 16, 4, 16 * MIB);
    }
  },
  SHORT_MESSAGES("64 queue pairs with messages of 32 bytes", 1) {
    @Override
    void run(String name) {
      writeForEver(Site.open(name), 64, 32, 32);
    }
  },
  KEYS("memory keys, as many as it gets, again and again", 1) {
    @Override
    void run(String name) {
      ProtectionDomain domain = Device.open(name).allocateProtectionDomain();
      MemorySegment memory = Arena.global().allocate(PAGE, PAGE);
      takeAll(() -> domain.register(memory, LOCAL_WRITE));
    }
  },
  FLIGHT_RECORD("the flight record, read again and again", 1) {
    @Override
    void run(String name) {
      HcaDiagnosis diagnosis = open(name).diagnosis().orElseThrow();
      while (true) {
        diagnosis.flightRecord();
      }
    }
  },
  DIAGNOSIS("tracing on and off, explanations and tables, of 500 queue pairs", 1) {
    @Override
    void run(String name) {
      Site site = Site.open(name);
      for (int i = 0; i < 500; i++) {
        RcQueuePair queue = site.loop(ConnectOptions.DEFAULT);
        queue.write(0, i).signaled(0);
        queue.ringDoorbell();
      }
      HcaDiagnosis diagnosis = site.device.diagnosis().orElseThrow();
      for (boolean on = true; ; on = !on) {
        diagnosis.trace(on);
        diagnosis.explanations();
        diagnosis.objects();
        diagnosis.flightRecord();
      }
    }
  },
  LOG("malformed messages, each of which would be a line in the log of the device process", 1) {
    @Override
    void run(String name) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment nonsense = arena.allocate(64);
        nonsense.fill((byte) 0x5a);
        while (true) {
          try (LocalSocket socket = LocalSocket.connect(path(name))) {
            socket.send(nonsense);
          } catch (IOException e) {
            Thread.onSpinWait();
          }
        }
      }
    }
  },
  ONE_BYTE_BLOCKS("messages of 1 MiB into a region of interleaved blocks of 1 byte", 1) {
    @Override
    void run(String name) {
      Site site = Site.open(name);
      MemoryRegion memory = site.domain.allocate(2 * MIB, Access.rights());
      RcQueuePair queue = site.loop(ConnectOptions.DEFAULT);
      IndirectRegion blocks = interleaved(site, queue, memory);
      again(
          site.completions,
          16,
          () -> {
            queue.write(blocks.remote()).gather(memory, 0, MIB).signaled(0);
            queue.ringDoorbell();
          });
    }
  },
  TAGS("a list of 1,000 tags, and messages that match none of them", 1) {
    @Override
    void run(String name) {
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
  },
  DC_SESSIONS("1,024 streams of DC initiators, and as many DC targets as it gets", 1) {
    @Override
    void run(String name) {
      Site site = Site.open(name);
      MemoryRegion memory = site.domain.allocate(PAGE, Access.rights());
      SharedReceiveQueue receives = site.domain.sharedReceiveQueue().create();
      List<DcStreamInitiator> initiators = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        initiators.add(site.domain.dcStreamInitiator(site.completions, 64).sendQueue(64).create());
      }
      List<DcTarget> targets = new ArrayList<>();
      for (HcaException refused = null; refused == null; ) {
        try {
          targets.add(site.domain.dcTarget(site.completions, receives).create());
        } catch (HcaException e) {
          refused = e;
        }
      }
      int[] sent = {0};
      again(
          site.completions,
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
  },
  COPIES("copies of 1 MiB by the device, from and to interleaved blocks of 1 byte", 1) {
    @Override
    void run(String name) {
      Site site = Site.open(name);
      MemoryRegion memory = site.domain.allocate(2 * MIB, Access.rights());
      RcQueuePair queue = site.domain.rcQueuePair(site.completions).memoryCopies(true).create();
      queue.connect(queue.endpoint());
      IndirectRegion from = interleaved(site, queue, memory);
      IndirectRegion to = interleaved(site, queue, memory);
      again(
          site.completions,
          16,
          () -> {
            queue.copyMemory(0, from.lkey(), 0, to.lkey(), MIB).signaled(0);
            queue.ringDoorbell();
          });
    }
  },
  LAYOUTS("a region whose list of 52 pieces is replaced again and again", 1) {
    @Override
    void run(String name) {
      Site site = Site.open(name);
      MemoryRegion memory = site.domain.allocate(PAGE, Access.rights());
      RcQueuePair queue = site.domain.rcQueuePair(site.completions).sendQueue(1024).create();
      queue.connect(queue.endpoint());
      IndirectRegion region = site.domain.allocateIndirect(52);
      again(
          site.completions,
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
  },
  MAPS("15,000 mappings of a file with a path of 4,000 bytes, and registrations", 1) {
    @Override
    void run(String name) throws IOException {
      ProtectionDomain domain = Device.open(name).allocateProtectionDomain();
      MemorySegment memory = Arena.global().allocate(PAGE, PAGE);
      LongPath.map(15_000);
      while (true) {
        domain.register(memory, LOCAL_WRITE).close();
      }
    }
  },
  LOOP("a resident of four queues that enable themselves for ever", 1) {
    @Override
    void run(String name) {
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
  },
  STOPPED("a client that is stopped in the middle of calls and long messages", 1) {
    @Override
    void run(String name) throws IOException {
      Site site = Site.open(name);
      MemoryRegion memory =
          site.domain.register(Arena.global().allocate(16 * MIB, PAGE), Access.rights());
      for (int i = 0; i < SOME; i++) {
        RcQueuePair queue = site.loop(ConnectOptions.DEFAULT);
        for (int j = 0; j < 64; j++) {
          write(queue, j, memory, 8 * MIB);
        }
        HcaDiagnosis diagnosis = open(name).diagnosis().orElseThrow();
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
  };

  private static final int PAGE = 4096;
  private static final int MIB = 1 << 20;
  private static final long STOP_NANOS = 500_000_000;
  private static final int SOME = 8;
  private static final WindowRights ALL =
      WindowRights.of(LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC);
  private static final int MANY = 15_000;
  private static final long REST_NANOS = 100_000;

  private final String description;
  private final int threads;

  Attack(String description, int threads) {
    this.description = description;
    this.threads = threads;
  }

  String description() {
    return description;
  }

  /** Number of its threads that use a processor. */
  int threads() {
    return threads;
  }

  /** Attacks until the process ends. */
  abstract void run(String name) throws IOException;

  /** Removes what attackers left on the device. */
  static void removeResidents(String name) {
    try (Device device = Device.open(name)) {
      HcaResidents residents = device.residents().orElseThrow();
      residents.list().forEach(left -> residents.forceRemove(left.name()));
    }
  }

  private static Path path(String name) {
    return Path.of(name.substring(name.indexOf(':') + 1));
  }

  private static Hca open(String name) {
    return new SocketProvider().open(name).orElseThrow();
  }

  /** What most attacks use. */
  private record Site(Device device, ProtectionDomain domain, CompletionQueue completions) {
    static Site open(String name) {
      Device device = Device.open(name);
      return new Site(
          device, device.allocateProtectionDomain(), device.createCompletionQueue(PAGE));
    }

    /** Creates a queue pair that is connected to itself. */
    RcQueuePair loop(ConnectOptions options) {
      RcQueuePair queue = domain.rcQueuePair(completions).sendQueue(64).create();
      queue.connect(queue.endpoint(), options);
      return queue;
    }
  }

  /** Keeps a number of messages under way on each of some queue pairs. */
  private static void writeForEver(Site site, int queues, int depth, long bytes) {
    MemoryRegion memory = site.domain.allocate(2 * bytes, LOCAL_WRITE, REMOTE_WRITE);
    List<RcQueuePair> pairs = new ArrayList<>();
    for (int i = 0; i < queues; i++) {
      pairs.add(site.loop(ConnectOptions.DEFAULT));
      for (int j = 0; j < depth; j++) {
        write(pairs.get(i), i, memory, bytes);
      }
    }
    while (true) {
      int unused =
          site.completions.poll(
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
    IndirectRegion blocks = site.domain.allocateIndirect(2);
    queue.layoutInterleaved(blocks, MIB, ALL).piece(memory, 0, 1, 1).signaled(0);
    queue.ringDoorbell();
    await(site.completions);
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

  /** Allocates objects until it is refused, frees half of them, and continues. */
  private static void takeAll(Supplier<AutoCloseable> taking) {
    Deque<AutoCloseable> taken = new ArrayDeque<>();
    while (true) {
      try {
        taken.add(taking.get());
      } catch (HcaException refused) {
        for (int half = taken.size() / 2; half >= 0 && !taken.isEmpty(); half--) {
          close(taken.remove());
        }
      }
    }
  }

  private static void close(AutoCloseable thing) {
    try {
      thing.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Repeats an action on each of eight connections. */
  private static void each(String name, Consumer<Hca> action) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Hca hca = open(name);
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (true) {
                      action.accept(hca);
                    }
                  }));
    }
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void spin() {
    while (true) {
      Thread.onSpinWait();
    }
  }

  /** The process of an attack: prints "ready", and attacks when it receives a line. */
  public static void main(String[] arguments) throws IOException {
    Attack attack = valueOf(arguments[0]);
    System.out.println("ready");
    int told = System.in.read();
    if (told >= 0) {
      attack.run(arguments[1]);
    }
  }
}
