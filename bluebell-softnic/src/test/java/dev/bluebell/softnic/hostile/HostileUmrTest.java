package dev.bluebell.softnic.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.RawWindow;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Umr;
import dev.bluebell.softnic.rig.Wqe;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Hostile UMRs: wrong counts, lengths that overflow 64 bits, circles of keys, other clients' keys,
 * flipped bits. Only memory registered with the needed right is touched, nothing hangs, and the
 * device keeps serving. The seed of a failed run is in its name.
 */
class HostileUmrTest {
  private static final int KEYS = 6;
  private static final int ACTIONS = 1500;
  private static final int BYTES = 1 << 14;
  private static final int STEPS_TO_REST = 20_000;

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.bluebell.softnic.hostile.Seeds#all")
  void hostileUmrsTouchNoOtherMemoryAndHangNothing(long seed) {
    new Attack(seed).run();
  }

  private static final class Attack {
    private final Random random;
    private final Rig rig = Rigs.open();
    private final RawMemory memory =
        rig.memory(BYTES, HcaAccess.ALL & ~HcaAccess.REMOTE_INVALIDATE).fill(1);
    private final RawMemory readOnly = rig.memory(BYTES, HcaAccess.REMOTE_READ).fill(2);
    private final HcaObject domain = rig.nic().allocateProtectionDomain();
    private final RawMemory alien = rig.memory(domain, BYTES, HcaAccess.ALL).fill(3);
    private final List<RawWindow> windows = new ArrayList<>();
    private final RawPair pair = RawPair.connect(rig.qp(plan()), rig.qp(plan()), new Settings());

    Attack(long seed) {
      random = new Random(seed);
      for (int i = 0; i < KEYS; i++) {
        windows.add(
            new RawWindow(
                rig,
                1 << random.nextInt(8),
                mkc ->
                    mkc.set(
                            Mkc.ACCESS_MODE_1_0,
                            random.nextInt(4) == 0 ? Mkc.ACCESS_MODE_KSM : Mkc.ACCESS_MODE_KLM)
                        .set(Mkc.LOG_PAGE_SIZE, random.nextInt(32))
                        .set(Mkc.LW, true)));
      }
    }

    private RawQpPlan plan() {
      return new RawQpPlan(rig.cq(6)).sizes(6, 3, 4);
    }

    void run() {
      for (int i = 0; i < ACTIONS; i++) {
        RawQp qp = random.nextBoolean() ? pair.left() : pair.right();
        switch (random.nextInt(5)) {
          case 0, 1 -> post(qp, umr());
          case 2, 3 -> post(qp, access());
          default -> post(qp, new Wqe(WqeOpcode.SEND_INVAL).immediate(anyKey()));
        }
        rig.settle(STEPS_TO_REST);
        revive();
      }
      expectNothingElseTouched();
      rig.close();
    }

    private void post(RawQp qp, Wqe wqe) {
      int index = qp.write(wqe);
      int ds = (int) Memory.getLong(qp.wqebb(index)) & 0x3f;
      for (int flips = random.nextInt(3); flips > 0; flips--) {
        int at = 8 + random.nextInt(16 * Math.max(1, ds) - 8);
        long address = qp.wqebb(index + at / 64) + at % 64;
        Memory.putByte(address, (byte) (Memory.getByte(address) ^ 1 << random.nextInt(8)));
      }
      qp.writeRecord();
      qp.ring(index);
    }

    private void revive() {
      if (pair.left().state() != 3 || pair.right().state() != 3) {
        pair.left().reset();
        pair.right().reset();
        RawPair.connect(pair.left(), pair.right(), new Settings());
      }
      pair.left().sends().poll();
      pair.right().sends().poll();
      pair.right().receiveNothing();
    }

    private int anyKey() {
      return switch (random.nextInt(8)) {
        case 0 -> memory.key();
        case 1 -> readOnly.key();
        case 2 -> alien.key();
        case 3 -> random.nextInt();
        default -> windows.get(random.nextInt(KEYS)).key(random.nextInt(2));
      };
    }

    private long anyAddress() {
      return switch (random.nextInt(5)) {
        case 0 -> random.nextLong();
        case 1 -> random.nextInt(BYTES);
        case 2 -> readOnly.address(random.nextInt(3 * BYTES) - BYTES);
        case 3 -> alien.address(random.nextInt(BYTES));
        default -> memory.address(random.nextInt(3 * BYTES) - BYTES);
      };
    }

    private int anyLength() {
      return switch (random.nextInt(6)) {
        case 0 -> random.nextInt();
        case 1 -> 0;
        case 2 -> BYTES;
        default -> 1 + random.nextInt(512);
      };
    }

    private Wqe umr() {
      RawWindow window = windows.get(random.nextInt(KEYS));
      Umr umr =
          new Umr(window.key(random.nextInt(2)))
              .flags(0x80 | (random.nextInt(3) == 0 ? random.nextInt(256) : 0))
              .mask(
                  random.nextInt(4) == 0
                      ? random.nextLong()
                      : random.nextBoolean() ? 0x203c2041L : 0x203c6041L)
              .owner(random.nextBoolean() ? Mkc.ANY_QPN : pair.right().number(), random.nextInt(2))
              .access(random.nextInt(256))
              .range(
                  random.nextBoolean() ? 0 : anyAddress(),
                  random.nextInt(4) == 0 ? random.nextLong() : 1 + random.nextInt(BYTES))
              .context(mkc -> mkc.set(Mkc.FREE, random.nextInt(6) == 0));
      addEntries(umr);
      if (random.nextInt(4) == 0) {
        umr.octowords(random.nextInt(random.nextBoolean() ? 64 : 1 << 16));
      }
      return random.nextInt(6) == 0
          ? umr.head().data(memory.address(-memory.address(0) & 2047), 64, anyKey())
          : umr.wqe();
    }

    private void addEntries(Umr umr) {
      int count = random.nextInt(12);
      if (count > 0 && random.nextInt(3) == 0) {
        int[] sizes = new int[count];
        int sum = 0;
        for (int i = 0; i < count; i++) {
          sizes[i] = random.nextInt(random.nextBoolean() ? 4 : 1 << 16);
          sum += sizes[i];
        }
        umr.repeat(sum, random.nextBoolean() ? random.nextInt() : 1 + random.nextInt(64), count);
        for (int size : sizes) {
          umr.piece(random.nextInt(1 << 16), size, anyKey(), anyAddress());
        }
        return;
      }
      for (int i = 0; i < count; i++) {
        umr.klm(anyLength(), anyKey(), random.nextBoolean() ? anyAddress() : 0);
      }
    }

    private Wqe access() {
      int bytes = 1 + random.nextInt(BYTES);
      long address = random.nextBoolean() ? random.nextInt(BYTES) : anyAddress();
      boolean local = random.nextBoolean();
      return switch (random.nextInt(4)) {
        case 0 ->
            new Wqe(WqeOpcode.RDMA_WRITE)
                .remote(address, anyKey())
                .data(local ? memory.address(0) : address, bytes, local ? memory.key() : anyKey());
        case 1 ->
            new Wqe(WqeOpcode.RDMA_READ)
                .remote(address, anyKey())
                .data(local ? memory.address(0) : address, bytes, local ? memory.key() : anyKey());
        case 2 ->
            new Wqe(WqeOpcode.ATOMIC_FA)
                .remote(address & ~7, anyKey())
                .words(1, 0)
                .data(memory, 0, 8);
        default ->
            new Wqe(WqeOpcode.MMO)
                .opmod(1)
                .words(memory.key(), memory.address(0))
                .data(address, bytes, anyKey())
                .data(memory, 0, bytes);
      };
    }

    private void expectNothingElseTouched() {
      memory.expectCanaries();
      readOnly.expectCanaries();
      alien.expectCanaries();
      try (Rig fresh = Rigs.open()) {
        assertThat(readOnly.bytes()).isEqualTo(fresh.memory(BYTES).fill(2).bytes());
        assertThat(alien.bytes()).isEqualTo(fresh.memory(BYTES).fill(3).bytes());
      }
      RawPair another = rig.pair();
      another.left().post(Wqe.write(memory, 0).data(readOnly, 0, 64));
      rig.settle();
      another.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    }
  }
}
