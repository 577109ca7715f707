package dev.bluebell.softnic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.softnic.rig.Addresses;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Wqe;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Several devices of one process: each has an engine and a thread of its own. */
class SeveralDevicesTest {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

  private static SoftNic open() {
    return SoftNic.open(SoftNicOptions.DEFAULT.withIdentity(Addresses.IDENTITY));
  }

  private static Set<Thread> deviceThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("bluebell-soft"))
        .collect(Collectors.toSet());
  }

  private static void execute(Rig rig) {
    RawPair pair = rig.pair();
    RawMemory memory = rig.memory(64);
    pair.left().post(Wqe.write(memory, 32).data(memory, 0, 8));
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (pair.left().sends().peek().isEmpty() && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void eachDeviceStartsAThreadThatEndsWithIt() {
    Set<Thread> before = deviceThreads();
    try (Rig one = new Rig(open(), new ManualClock());
        Rig other = new Rig(open(), new ManualClock())) {
      Set<Thread> own = deviceThreads();
      own.removeAll(before);
      assertThat(own).hasSize(2);
      execute(one);
      execute(other);
    }
    assertThat(before).containsAll(deviceThreads());
  }

  @Test
  void aDeviceExecutesRequestsWhileTheEngineOfAnotherDeviceIsHeld() {
    SoftNic held = open();
    try (Rig holder = new Rig(held, new ManualClock());
        Rig other = new Rig(open(), new ManualClock())) {
      held.engine().enter();
      try {
        execute(other);
      } finally {
        held.engine().exit();
      }
      execute(holder);
    }
  }
}
