package dev.bluebell.softnic.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.queue.VendorSyndrome;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.RawWindow;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory windows from bind to invalidate, and which queue pairs may use them in between. */
class WindowTest {
  private static final int BYTES = 4096;
  private static final int UC = 1;

  private final Rig rig = Rigs.open();
  private final RawMemory memory = rig.memory(BYTES).fill(1);
  private final RawMemory local = rig.memory(BYTES).fill(2);
  private final RawPair pair = rig.pair();
  private final RawWindow window = new RawWindow(rig);

  @AfterEach
  void close() {
    memory.expectCanaries();
    local.expectCanaries();
    rig.close();
  }

  private void bind(RawQp owner, int oldTag, int newTag) {
    owner.post(window.bind(owner, oldTag, newTag, memory, 64, 1024).wqe());
    rig.settle();
    assertThat(owner.sends().pollOne().opcode()).isEqualTo(CqeOpcode.REQ);
  }

  private Wqe write(long offset, int tag, int bytes) {
    return new Wqe(WqeOpcode.RDMA_WRITE)
        .remote(memory.address(offset), window.key(tag))
        .data(local, 0, bytes);
  }

  @Test
  void aWriteThroughAWindowLands() {
    bind(pair.right(), 0, 1);
    pair.left().post(write(64, 1, 1024));
    rig.settle();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(memory.bytes(64, 1024)).isEqualTo(local.bytes(0, 1024));
    assertThat(memory.bytes(0, 64)).isEqualTo(rig.memory(BYTES).fill(1).bytes(0, 64));
  }

  @Test
  void aReadThroughAWindowReturnsTheMemoryBehindIt() {
    bind(pair.right(), 0, 1);
    pair.left()
        .post(
            new Wqe(WqeOpcode.RDMA_READ)
                .remote(memory.address(100), window.key(1))
                .data(local, 8, 900));
    rig.settle();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(local.bytes(8, 900)).isEqualTo(memory.bytes(100, 900));
  }

  @Test
  void anAtomicThroughAWindowChangesTheMemoryBehindIt() {
    memory.putLong(64, 41);
    bind(pair.right(), 0, 1);
    pair.left()
        .post(
            new Wqe(WqeOpcode.ATOMIC_FA)
                .remote(memory.address(64), window.key(1))
                .words(1, 0)
                .data(local, 0, 8));
    rig.settle();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(memory.getLong(64)).isEqualTo(42);
    assertThat(local.getLong(0)).isEqualTo(41);
  }

  @Test
  void theContextReportsTheBoundRange() {
    assertThat(window.query().isSet(Mkc.FREE)).isTrue();
    bind(pair.right(), 0, 1);
    assertThat(window.query().isSet(Mkc.FREE)).isFalse();
    assertThat(window.query().getInt(Mkc.QPN)).isEqualTo(pair.right().number());
    assertThat(window.query().getInt(Mkc.MKEY_7_0)).isEqualTo(1);
    assertThat(window.query().get(Mkc.LEN)).isEqualTo(1024);
    assertThat(window.query().isSet(Mkc.LR)).isTrue();
  }

  @Test
  void anInvalidatedWindowRefusesAccessAndNamesTheInvalidatingRequest() {
    bind(pair.right(), 0, 1);
    int index = pair.right().post(window.invalidate(1).wqe());
    rig.settle();
    pair.right().sends().pollOne().require(CqeOpcode.REQ, index);
    byte[] before = memory.bytes();
    // Its tag is 0 again, as libmlx5 leaves it; the peer still has the previous one.
    pair.left().post(write(64, 1, 8));
    rig.settle();
    pair.left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.REMOTE_ACCESS_ERR,
            0,
            "was invalidated by the UMR at WQE %d of QP 0x%x"
                .formatted(index, pair.right().number()));
    assertThat(memory.bytes()).isEqualTo(before);
  }

  @Test
  void aKeyOfAnEarlierBindIsRefused() {
    bind(pair.right(), 0, 1);
    pair.right().post(window.invalidate(1).wqe());
    rig.settle();
    pair.right().sends().pollOne();
    bind(pair.right(), 1, 2);
    pair.left().post(write(64, 2, 8));
    pair.left().post(write(64, 1, 8));
    rig.settle();
    var done = pair.left().sends().poll(2);
    done.get(0).require(CqeOpcode.REQ, 0);
    done.get(1).requireError(Syndrome.REMOTE_ACCESS_ERR, 1, "has the tag 0x01", "set that tag");
  }

  @Test
  void aWindowThatWasNeverBoundIsFree() {
    pair.left().post(write(64, 0, 8));
    rig.settle();
    pair.left()
        .sends()
        .pollOne()
        .requireError(Syndrome.REMOTE_ACCESS_ERR, 0, "is free: it was never bound");
  }

  @Test
  void aWindowOfTypeOneIsBoundAgainWithoutBeingInvalidatedAndServesItsWholeDomain() {
    RawPair other = rig.pair();
    for (int tag = 1; tag < 4; tag++) {
      pair.right()
          .post(
              window
                  .bind(pair.right(), tag - 1, tag, memory, 64L * tag, 64)
                  .flags(0x90)
                  .mask(0x203c2041)
                  .owner(Mkc.ANY_QPN, tag)
                  .wqe());
      rig.settle();
      assertThat(pair.right().sends().pollOne().opcode()).isEqualTo(CqeOpcode.REQ);
      other.left().post(write(64L * tag, tag, 64));
      pair.left().post(write(64L * tag, tag, 64));
      rig.settle();
      assertThat(other.left().sends().pollOne().opcode()).isEqualTo(CqeOpcode.REQ);
      assertThat(pair.left().sends().pollOne().opcode()).isEqualTo(CqeOpcode.REQ);
      assertThat(memory.bytes(64L * tag, 64)).isEqualTo(local.bytes(0, 64));
    }
  }

  @Test
  void aWindowOfTypeTwoServesTheQueuePairThatBoundIt() {
    RawPair other = rig.pair();
    bind(pair.right(), 0, 1);
    other.left().post(write(64, 1, 8));
    rig.settle();
    other
        .left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.REMOTE_ACCESS_ERR,
            0,
            "is for QP 0x%x alone".formatted(pair.right().number()),
            "not for QP 0x%x".formatted(other.right().number()));
  }

  @Test
  void aPeerMayInvalidateAWindowBySendWithInvalidate() {
    bind(pair.right(), 0, 1);
    pair.right().receiveNothing();
    pair.left().post(new Wqe(WqeOpcode.SEND_INVAL).immediate(window.key(1)));
    rig.settle();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(pair.right().receives().pollOne().require(CqeOpcode.RESP_SEND_INV, 0).immediate())
        .isEqualTo(window.key(1));
    pair.left().post(write(64, 1, 8));
    rig.settle();
    pair.left()
        .sends()
        .pollOne()
        .requireError(Syndrome.REMOTE_ACCESS_ERR, 1, "was invalidated by a SEND with invalidate");
  }

  @Test
  void theInvalidationOfAWindowThatWasNeverBoundIsRefusedAndNotTakenForAnAccess() {
    pair.right().receiveNothing();
    pair.left().post(new Wqe(WqeOpcode.SEND_INVAL).immediate(window.key(0)));
    rig.settle();
    pair.left()
        .sends()
        .pollOne()
        .requireError(Syndrome.REMOTE_ACCESS_ERR, 0, "is free: it was never bound");
    assertThat(rig.explanations()).noneMatch(line -> line.contains("does not map any memory"));
  }

  @Test
  void aPeerMayNotInvalidateTheWindowOfAnotherQueuePair() {
    RawPair other = rig.pair();
    bind(pair.right(), 0, 1);
    other.right().receiveNothing();
    other.left().post(new Wqe(WqeOpcode.SEND_INVAL).immediate(window.key(1)));
    rig.settle();
    other.left().sends().pollOne().requireError(Syndrome.REMOTE_ACCESS_ERR, 0, "alone");
    pair.left().post(write(64, 1, 8));
    rig.settle();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void aWindowMayBeNamedFromZero() {
    pair.right().post(window.bind(pair.right(), 0, 1, memory, 64, 1024).range(0, 1024).wqe());
    rig.settle();
    pair.left().post(new Wqe(WqeOpcode.RDMA_WRITE).remote(1000, window.key(1)).data(local, 0, 24));
    pair.left().post(new Wqe(WqeOpcode.RDMA_WRITE).remote(1001, window.key(1)).data(local, 0, 24));
    rig.settle();
    var done = pair.left().sends().poll(2);
    done.get(0).require(CqeOpcode.REQ, 0);
    done.get(1).requireError(Syndrome.REMOTE_ACCESS_ERR, 1, "[0x0, 0x400)");
    assertThat(memory.bytes(1064, 24)).isEqualTo(local.bytes(0, 24));
  }

  @ParameterizedTest
  @ValueSource(ints = {0x20, 0x10, 0x40, 0x00})
  void aWindowGrantsTheRightsOfItsBindAndNoOthers(int access) {
    pair.right().post(window.bind(pair.right(), 0, 1, memory, 64, 1024).access(access).wqe());
    rig.settle();
    assertThat(succeeds(write(64, 1, 8))).isEqualTo((access & 0x20) != 0);
    assertThat(
            succeeds(
                new Wqe(WqeOpcode.RDMA_READ)
                    .remote(memory.address(64), window.key(1))
                    .data(local, 0, 8)))
        .isEqualTo((access & 0x10) != 0);
    assertThat(
            succeeds(
                new Wqe(WqeOpcode.ATOMIC_FA)
                    .remote(memory.address(64), window.key(1))
                    .words(0, 0)
                    .data(local, 0, 8)))
        .isEqualTo((access & 0x40) != 0);
  }

  /** Posts a request on a new connection to the queue pair that the window is bound to. */
  private boolean succeeds(Wqe wqe) {
    pair.left().reset();
    pair.right().reset();
    pair.left().sends().poll();
    pair.right().sends().poll();
    RawPair.connect(pair.left(), pair.right(), new Settings());
    pair.left().post(wqe);
    rig.settle();
    return !pair.left().sends().pollOne().isError();
  }

  @Test
  void memoryThatIsNotWritableIsNotWrittenThroughAWindow() {
    RawMemory closed = rig.memory(64, 0).fill(3);
    pair.right().post(window.bind(pair.right(), 0, 1, closed, 0, 64).wqe());
    rig.settle();
    pair.left()
        .post(
            new Wqe(WqeOpcode.RDMA_WRITE)
                .remote(closed.address(0), window.key(1))
                .data(local, 0, 8));
    rig.settle();
    pair.left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.REMOTE_ACCESS_ERR,
            0,
            "entry 0 of the translation of memory key 0x%x refuses".formatted(window.key(1)),
            "mkey 0x%x does not grant LOCAL_WRITE".formatted(closed.key()));
    assertThat(closed.bytes()).isEqualTo(rig.memory(64).fill(3).bytes());
  }

  @Test
  void windowsOfADestroyedRegionRefuseAccess() {
    bind(pair.right(), 0, 1);
    memory.registration().close();
    pair.left().post(write(64, 1, 8));
    rig.settle();
    pair.left()
        .sends()
        .pollOne()
        .requireError(Syndrome.REMOTE_ACCESS_ERR, 0, "does not name a memory key", "refuses");
  }

  @Test
  void aWindowIsBoundThroughAnUnreliableConnectionToo() {
    RawPair unreliable =
        RawPair.connect(
            rig.qp(new RawQpPlan(rig.cq(5)).service(UC)),
            rig.qp(new RawQpPlan(rig.cq(5)).service(UC)),
            new Settings());
    unreliable.right().post(window.bind(unreliable.right(), 0, 1, memory, 64, 1024).wqe());
    rig.settle();
    unreliable.right().sends().pollOne().require(CqeOpcode.REQ, 0);
    unreliable.left().post(write(64, 1, 16));
    rig.settle();
    assertThat(memory.bytes(64, 16)).isEqualTo(local.bytes(0, 16));
    unreliable.right().post(window.bind(unreliable.right(), 1, 2, memory, 64, 1024).wqe());
    rig.settle();
    unreliable
        .right()
        .sends()
        .pollOne()
        .requireError(Syndrome.MW_BIND_ERR, 3, "CHECK_FREE", "is in use");
  }

  @Test
  void aWindowInUseIsNotBoundAgainUntilItIsInvalidated() {
    bind(pair.right(), 0, 1);
    pair.right().post(window.bind(pair.right(), 1, 2, memory, 64, 1024).wqe());
    rig.settle();
    var failed =
        pair.right()
            .sends()
            .pollOne()
            .requireError(Syndrome.MW_BIND_ERR, 3, "flags 0xb0 have CHECK_FREE (bit 5, 0x20)");
    assertThat(failed.vendorSyndrome()).isEqualTo(VendorSyndrome.UMR);
    assertThat(failed.sendOpcode()).isEqualTo(WqeOpcode.UMR);
  }

  @Test
  @Tag("slow")
  void tenThousandWindowsAreBoundUsedEndedAndFreed() {
    int count = 10_000;
    RawWindow[] windows = new RawWindow[count];
    for (int i = 0; i < count; i++) {
      windows[i] = new RawWindow(rig);
      int offset = i % 512 * 8;
      pair.right().post(windows[i].bind(pair.right(), 0, 1, memory, offset, 8).wqe().unsignalled());
      rig.settle();
    }
    for (int i = 0; i < count; i++) {
      int offset = i % 512 * 8;
      local.putLong(0, i);
      pair.left().post(access(WqeOpcode.RDMA_WRITE, windows[i], offset).data(local, 0, 8));
      pair.left().post(access(WqeOpcode.RDMA_READ, windows[i], offset).data(local, 8, 8));
      rig.settle();
      assertThat(pair.left().sends().poll(2)).noneMatch(RawCqe::isError);
      assertThat(memory.getLong(offset)).isEqualTo(i);
      assertThat(local.getLong(8)).isEqualTo(i);
    }
    for (RawWindow each : windows) {
      pair.right().post(each.invalidate(1).wqe().unsignalled());
      rig.settle();
    }
    assertThat(pair.right().sends().poll()).isEmpty();
    assertThat(pair.right().state()).isEqualTo(3);
    for (int i = 0; i < count; i += 1000) {
      RawPair fresh = rig.pair();
      fresh.left().post(access(WqeOpcode.RDMA_WRITE, windows[i], 0).data(local, 0, 8));
      rig.settle();
      fresh.left().sends().pollOne().requireError(Syndrome.REMOTE_ACCESS_ERR, 0, "invalidated");
    }
    for (RawWindow each : windows) {
      each.object().close();
    }
  }

  private Wqe access(int opcode, RawWindow through, int offset) {
    return new Wqe(opcode).remote(memory.address(offset), through.key(1));
  }
}
