package dev.bluebell.lab.storm;

import static dev.bluebell.verbs.Access.LOCAL_WRITE;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapIn;
import dev.bluebell.hca.command.CapabilityType;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.structure.View;
import dev.bluebell.server.LocalSocket;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
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

/** Attacks by connections, commands, registrations and diagnosis; {@link Attack} lists them. */
final class CallAttacks {
  private static final int PAGE = 4096;
  private static final int MANY = 15_000;
  private static final long REST_NANOS = 100_000;

  private CallAttacks() {}

  static void mappings(String name) {
    Hca hca = Site.hca(name);
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

  static void silence(String name) {
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

  static void subscriptions(String name) {
    Hca hca = Site.hca(name);
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

  static void commands(String name) {
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

  static void objects(String name) {
    each(name, hca -> hca.allocateProtectionDomain().close());
  }

  static void keys(String name) {
    ProtectionDomain domain = Device.open(name).allocateProtectionDomain();
    MemorySegment memory = Arena.global().allocate(PAGE, PAGE);
    takeAll(() -> domain.register(memory, LOCAL_WRITE));
  }

  static void flightRecord(String name) {
    HcaDiagnosis diagnosis = Site.hca(name).diagnosis().orElseThrow();
    while (true) {
      diagnosis.flightRecord();
    }
  }

  static void diagnosis(String name) {
    Site site = Site.open(name);
    for (int i = 0; i < 500; i++) {
      RcQueuePair queue = site.loop(ConnectOptions.DEFAULT);
      queue.write(0, i).signaled(0);
      queue.ringDoorbell();
    }
    HcaDiagnosis diagnosis = site.device().diagnosis().orElseThrow();
    for (boolean on = true; ; on = !on) {
      diagnosis.trace(on);
      diagnosis.explanations();
      diagnosis.objects();
      diagnosis.flightRecord();
    }
  }

  static void log(String name) {
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

  static void maps(String name) throws IOException {
    ProtectionDomain domain = Device.open(name).allocateProtectionDomain();
    MemorySegment memory = Arena.global().allocate(PAGE, PAGE);
    LongPath.map(15_000);
    while (true) {
      domain.register(memory, LOCAL_WRITE).close();
    }
  }

  private static Path path(String name) {
    return Path.of(name.substring(name.indexOf(':') + 1));
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
      Hca hca = Site.hca(name);
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
}
