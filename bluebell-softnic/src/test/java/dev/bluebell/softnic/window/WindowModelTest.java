package dev.bluebell.softnic.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.RawWindow;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Binds, rebinds, invalidates from both ends, and uses windows of both types at random; a model of
 * a few lines predicts the result of each request. The seed of a failed run is in its name.
 */
class WindowModelTest {
  private static final int WINDOWS = 8;
  private static final int PAIRS = 2;
  private static final int BYTES = 2048;
  private static final int ACTIONS = 1500;
  private static final int ANY = -1;

  @ParameterizedTest(name = "seed {0}")
  @Tag("slow")
  @ValueSource(longs = {1, 2, 3, 4})
  void windowsDoWhatTheModelSays(long seed) {
    new Run(seed).run();
  }

  /** The model's state of a window. */
  private static final class Model {
    boolean free = true;
    int tag;

    /** The pair to whose right end it is bound; {@link #ANY} for a window of type 1. */
    int pair = ANY;

    int start;
    int length;
    boolean writable;
    boolean readable;
  }

  private static final class Run {
    private final Random random;
    private final Rig rig = Rigs.open();
    private final RawMemory memory = rig.memory(BYTES);
    private final RawMemory local = rig.memory(BYTES).fill(7);
    private final byte[] expected = new byte[BYTES];
    private final RawPair[] pairs = new RawPair[PAIRS];
    private final RawWindow[] windows = new RawWindow[WINDOWS];
    private final Model[] models = new Model[WINDOWS];

    Run(long seed) {
      random = new Random(seed);
      for (int i = 0; i < PAIRS; i++) {
        pairs[i] = connect(rig.qp(plan()), rig.qp(plan()));
      }
      for (int i = 0; i < WINDOWS; i++) {
        windows[i] = new RawWindow(rig);
        models[i] = new Model();
      }
    }

    private RawQpPlan plan() {
      return new RawQpPlan(rig.cq(5));
    }

    private static RawPair connect(RawQp left, RawQp right) {
      return RawPair.connect(left, right, new Settings());
    }

    void run() {
      for (int i = 0; i < ACTIONS; i++) {
        int window = random.nextInt(WINDOWS);
        int pair = random.nextInt(PAIRS);
        switch (random.nextInt(8)) {
          case 0, 1 -> bind(window, pair);
          case 2 -> invalidate(window, pair);
          case 3 -> invalidateRemotely(window, pair);
          default -> use(window, pair);
        }
        assertThat(memory.bytes()).as("after action %d", i).isEqualTo(expected);
      }
      memory.expectCanaries();
      rig.close();
    }

    private void bind(int window, int pair) {
      Model model = models[window];
      boolean typeOne = random.nextInt(3) == 0;
      int start = random.nextInt(BYTES);
      int length = 1 + random.nextInt(BYTES - start);
      int access = random.nextInt(4) << 4;
      int tag = model.tag + 1 & 0xff;
      RawQp qp = pairs[pair].right();
      var umr = windows[window].bind(qp, model.tag, tag, memory, start, length).access(access);
      if (typeOne) {
        umr.flags(0x90).owner(Mkc.ANY_QPN, tag);
      }
      boolean allowed = typeOne || model.free;
      check(qp, umr.wqe(), pair, allowed, Syndrome.MW_BIND_ERR);
      if (allowed) {
        model.free = false;
        model.tag = tag;
        model.pair = typeOne ? ANY : pair;
        model.start = start;
        model.length = length;
        model.writable = (access & 0x20) != 0;
        model.readable = (access & 0x10) != 0;
      }
    }

    private void invalidate(int window, int pair) {
      Model model = models[window];
      boolean stale = random.nextInt(4) == 0;
      int tag = stale ? model.tag - 1 & 0xff : model.tag;
      boolean allowed = (model.pair == ANY || model.pair == pair) && (model.free || !stale);
      check(
          pairs[pair].right(),
          windows[window].invalidate(tag).wqe(),
          pair,
          allowed,
          Syndrome.MW_BIND_ERR);
      if (allowed) {
        model.free = true;
        model.tag = 0;
        model.pair = ANY;
      }
    }

    private void invalidateRemotely(int window, int pair) {
      Model model = models[window];
      boolean stale = random.nextInt(4) == 0;
      int key = windows[window].key(stale ? model.tag - 1 & 0xff : model.tag);
      boolean allowed = !stale && !model.free && (model.pair == ANY || model.pair == pair);
      pairs[pair].right().receiveNothing();
      check(
          pairs[pair].left(),
          new Wqe(WqeOpcode.SEND_INVAL).immediate(key),
          pair,
          allowed,
          Syndrome.REMOTE_ACCESS_ERR);
      if (allowed) {
        model.free = true;
      }
    }

    private void use(int window, int pair) {
      Model model = models[window];
      boolean write = random.nextBoolean();
      boolean stale = random.nextInt(8) == 0;
      int from = model.start + random.nextInt(Math.max(1, model.length));
      int bytes = 1 + random.nextInt(Math.max(1, model.length));
      int key = windows[window].key(stale ? model.tag - 1 & 0xff : model.tag);
      boolean allowed =
          !stale
              && !model.free
              && (model.pair == ANY || model.pair == pair)
              && (write ? model.writable : model.readable)
              && from + bytes <= model.start + model.length;
      byte[] before = local.bytes();
      check(
          pairs[pair].left(),
          new Wqe(write ? WqeOpcode.RDMA_WRITE : WqeOpcode.RDMA_READ)
              .remote(memory.address(from), key)
              .data(local, 0, bytes),
          pair,
          allowed,
          Syndrome.REMOTE_ACCESS_ERR);
      if (allowed && write) {
        System.arraycopy(before, 0, expected, from, bytes);
        local.fill(random.nextLong());
      } else if (allowed) {
        System.arraycopy(expected, from, before, 0, bytes);
        assertThat(local.bytes()).isEqualTo(before);
      } else {
        assertThat(local.bytes()).isEqualTo(before);
      }
    }

    private void check(RawQp qp, Wqe wqe, int pair, boolean allowed, int syndrome) {
      qp.post(wqe);
      rig.settle();
      RawCqe done = qp.sends().poll().getFirst();
      assertThat(done.isError()).as("%s", done).isEqualTo(!allowed);
      if (!allowed) {
        assertThat(done.syndrome()).isEqualTo(syndrome);
        assertThat(done.explanation()).isNotEmpty();
        revive(pairs[pair]);
      }
      pairs[pair].left().sends().poll();
      pairs[pair].right().sends().poll();
    }

    private void revive(RawPair pair) {
      pair.left().reset();
      pair.right().reset();
      connect(pair.left(), pair.right());
    }
  }
}
