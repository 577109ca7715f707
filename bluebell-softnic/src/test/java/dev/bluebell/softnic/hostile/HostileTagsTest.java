package dev.bluebell.softnic.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.QpState;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawXrq;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random changes of a list of tags, and messages with random headers. */
class HostileTagsTest {
  private static final int STRIKES = 200;
  private static final int MEMORY_BYTES = 4096;

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.bluebell.softnic.hostile.Seeds#all")
  @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void theDeviceComesToRestAndTouchesOnlyItsMemory(long seed) {
    Random random = new Random(seed);
    try (Rig rig = Rigs.open()) {
      RawMemory source = rig.memory(MEMORY_BYTES).fill(seed);
      RawMemory target = rig.memory(MEMORY_BYTES);
      RawXrq xrq = new RawXrq(rig, rig.cq(5), 3);
      QuietPair quiet = new QuietPair(rig, seed);
      RawQp commands = xrq.commands();
      RawPair pair = pair(rig, xrq, random);
      for (int i = 0; i < STRIKES; i++) {
        if (commands.state() == QpState.ERR) {
          commands.reset();
          commands.connect(commands.number(), new Settings());
        }
        if (pair.right().state() == QpState.ERR || pair.left().state() == QpState.ERR) {
          pair = pair(rig, xrq, random);
        }
        quiet.post();
        commands.post(change(random, target));
        pair.left().receive(target.address(0), 64, target.key());
        xrq.receive(target.address(random.nextInt(4000)), random.nextInt(200), target.key());
        source.put(0, headers(random, source));
        pair.left().post(Wqe.send().data(source, 0, random.nextInt(2000)));
        rig.pass(1L << random.nextInt(24));
        quiet.expectDone();
        xrq.completions().poll();
        commands.sends().poll();
        pair.left().sends().poll();
      }
      quiet.expectAlive();
      source.expectCanaries();
      target.expectCanaries();
      xrq.expectCanaries();
      assertThat(rig.explanations()).isNotEmpty();
    }
  }

  private static RawPair pair(Rig rig, RawXrq xrq, Random random) {
    RawQp receiver = random.nextBoolean() ? xrq.offloaded() : xrq.qp();
    return RawPair.connect(
        rig.qp(rig.cq(6)), receiver, new Settings().rnrRetry(2).mtu(1 + random.nextInt(5)));
  }

  private static Wqe change(Random random, RawMemory target) {
    int mostly = random.nextInt(10) == 0 ? random.nextInt(16) : random.nextInt(3);
    Wqe wqe =
        RawXrq.change(
            mostly,
            random.nextInt(256),
            random.nextInt(random.nextInt(10) == 0 ? 0x10000 : 8),
            random.nextInt(4),
            random.nextInt(4),
            random.nextInt(4));
    if (mostly == 1 || random.nextInt(10) == 0) {
      wqe.data(
          target.address(random.nextInt(5000)),
          random.nextInt(2000),
          random.nextInt(10) == 0 ? random.nextInt() : target.key());
    }
    return wqe;
  }

  private static byte[] headers(Random random, RawMemory source) {
    return ByteBuffer.allocate(32)
        .put(0, (byte) random.nextInt(random.nextInt(10) == 0 ? 256 : 4))
        .putLong(8, random.nextInt(4))
        .putLong(16, source.address(random.nextInt(5000)))
        .putInt(24, random.nextInt(10) == 0 ? random.nextInt() : source.key())
        .putInt(28, random.nextInt(10) == 0 ? random.nextInt() : random.nextInt(2000))
        .array();
  }
}
