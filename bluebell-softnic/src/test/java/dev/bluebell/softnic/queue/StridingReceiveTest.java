package dev.bluebell.softnic.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaForeignMemory;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.command.RmpCommands.Wq;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.option.LossOptions;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Receive pools whose WQEs are divided into strides: 8 of 256 bytes, at a path MTU of 256. */
class StridingReceiveTest {
  private static final int STRIDE = 256;
  private static final int STRIDES = 8;
  private static final int WQE_BYTES = STRIDES * STRIDE;
  private static final int ONLY = Cqe.STRIDE_FIRST | Cqe.STRIDE_LAST;
  private static final long RNR_NANOS = 1_000_000;

  private Rig rig = Rigs.open();
  private RawCq sends = rig.cq(6);
  private RawCq receives = rig.cq(6);
  private RawPool pool = pool(false);
  private RawMemory local = rig.memory(16 << 10).fill(1);
  private RawMemory remote = rig.memory(16 << 10);
  private RawPair pair = connect(new Settings().mtu(1));

  @AfterEach
  void close() {
    remote.expectCanaries();
    pool.expectCanaries();
    rig.close();
  }

  /** 4 WQEs. */
  private RawPool pool(boolean linked) {
    return new RawPool(
        rig,
        linked,
        2,
        wq ->
            wq.set(Wq.WQ_TYPE, linked ? 2 : 3)
                .set(Wq.LOG_WQE_NUM_OF_STRIDES, 0xa)
                .set(Wq.LOG_WQE_STRIDE_SIZE, 2));
  }

  private RawPair connect(Settings settings) {
    return RawPair.connect(rig.qp(new RawQpPlan(sends)), receiver(), settings);
  }

  private RawQp receiver() {
    return rig.qp(new RawQpPlan(receives).pool(pool));
  }

  private void reopen(Rig other, boolean linked) {
    rig.close();
    rig = other;
    sends = rig.cq(6);
    receives = rig.cq(6);
    pool = pool(linked);
    local = rig.memory(16 << 10).fill(1);
    remote = rig.memory(16 << 10);
    pair = connect(new Settings().mtu(1));
  }

  /** Writes the WQE of a slot for its own part of the memory, and posts it. */
  private void post(int slot) {
    pool.write(slot, slot + 1, remote.address((long) slot * WQE_BYTES), WQE_BYTES, remote.key());
    pool.post(1);
  }

  private void send(long offset, int bytes) {
    pair.left().post(Wqe.send().data(local, offset, bytes).unsignalled());
  }

  /** The fields of a stride's completion: WQE, stride, flags and length. */
  private record Stride(int wqe, int stride, int flags, int bytes) {}

  private List<Stride> poll() {
    rig.settle();
    List<Stride> strides = new ArrayList<>();
    int index = receives.consumer();
    for (RawCqe cqe : receives.poll()) {
      assertThat(cqe.isError()).as(cqe.toString()).isFalse();
      long word = Memory.getLong(receives.entry(index++) + Cqe.PATH_WORD);
      strides.add(
          new Stride(
              cqe.wqeCounter(),
              (int) (word >>> 16) & 0xffff,
              cqe.byteCount() & ~0xffff,
              cqe.byteCount() & 0xffff));
    }
    return strides;
  }

  @Test
  void eachPacketOfAMessageTakesAStrideAndHasACompletion() {
    post(0);
    send(0, 600);
    assertThat(poll())
        .containsExactly(
            new Stride(0, 0, Cqe.STRIDE_FIRST, 256),
            new Stride(0, 1, 0, 256),
            new Stride(0, 2, Cqe.STRIDE_LAST, 88));
    assertThat(remote.bytes(0, 600)).isEqualTo(local.bytes(0, 600));
  }

  @Test
  void severalMessagesShareAWqe() {
    post(0);
    send(0, 64);
    send(64, 1);
    pair.left().post(Wqe.send().unsignalled());
    send(128, 256);
    assertThat(poll())
        .containsExactly(
            new Stride(0, 0, ONLY, 64),
            new Stride(0, 1, ONLY, 1),
            new Stride(0, 2, ONLY, 0),
            new Stride(0, 3, ONLY, 256));
    assertThat(remote.bytes(0, 64)).isEqualTo(local.bytes(0, 64));
    assertThat(remote.bytes(STRIDE, 1)).isEqualTo(local.bytes(64, 1));
    assertThat(remote.bytes(3 * STRIDE, 256)).isEqualTo(local.bytes(128, 256));
  }

  @Test
  void theStrideBehindTheLastIsTheFirstOfTheNextWqe() {
    post(0);
    post(1);
    send(0, WQE_BYTES);
    send(0, 8);
    List<Stride> strides = poll();
    assertThat(strides).hasSize(9);
    assertThat(strides.get(7)).isEqualTo(new Stride(0, 7, Cqe.STRIDE_LAST, 256));
    assertThat(strides.get(8)).isEqualTo(new Stride(1, 0, ONLY, 8));
    assertThat(remote.bytes(WQE_BYTES, 8)).isEqualTo(local.bytes(0, 8));
  }

  @Test
  void aListIsConsumedInTheOrderOfItsLinks() {
    reopen(Rigs.open(), true);
    pool.write(0, 2, remote.address(0), WQE_BYTES, remote.key());
    pool.write(2, 1, remote.address(WQE_BYTES), WQE_BYTES, remote.key());
    pool.post(2);
    send(0, WQE_BYTES);
    send(0, 8);
    assertThat(poll()).last().isEqualTo(new Stride(2, 0, ONLY, 8));
    assertThat(remote.bytes(WQE_BYTES, 8)).isEqualTo(local.bytes(0, 8));
  }

  @Test
  void queuePairsShareAWqe() {
    RawQp second = rig.qp(new RawQpPlan(sends));
    RawPair other = RawPair.connect(second, receiver(), new Settings().mtu(1));
    post(0);
    send(0, 8);
    rig.settle();
    other.left().post(Wqe.send().data(local, 8, 8).unsignalled());
    assertThat(poll()).containsExactly(new Stride(0, 0, ONLY, 8), new Stride(0, 1, ONLY, 8));
    assertThat(remote.bytes(STRIDE, 8)).isEqualTo(local.bytes(8, 8));
  }

  @Test
  void aMessageWithoutFreeStridesContinuesWhenAWqeIsPosted() {
    post(0);
    pair.left().post(Wqe.send().data(local, 0, 10 * STRIDE));
    assertThat(poll()).hasSize(STRIDES);
    assertThat(sends.poll()).isEmpty();
    post(1);
    rig.pass(RNR_NANOS);
    assertThat(poll())
        .containsExactly(new Stride(1, 0, 0, 256), new Stride(1, 1, Cqe.STRIDE_LAST, 256));
    sends.pollOne().require(CqeOpcode.REQ, 0);
    assertThat(remote.bytes(0, 10 * STRIDE)).isEqualTo(local.bytes(0, 10 * STRIDE));
  }

  @Test
  void theImmediateAndTheSolicitedEventComeWithTheLastPacket() {
    post(0);
    pair.left()
        .post(
            new Wqe(WqeOpcode.SEND_IMM)
                .data(local, 0, 300)
                .immediate(0x12345678)
                .control(ControlSegment.SOLICITED));
    rig.settle();
    List<RawCqe> cqes = receives.poll(2);
    cqes.get(0).require(CqeOpcode.RESP_SEND, 0);
    assertThat(cqes.get(0).solicited()).isFalse();
    cqes.get(1).require(CqeOpcode.RESP_SEND_IMM, 0);
    assertThat(cqes.get(1).immediate()).isEqualTo(0x12345678);
    assertThat(cqes.get(1).solicited()).isTrue();
    assertThat(cqes.get(1).remoteQpn()).isEqualTo(pair.left().number());
  }

  @Test
  void anInvalidatedKeyComesWithTheLastPacket() {
    post(0);
    RawMemory victim = rig.memory(64);
    pair.left().post(new Wqe(WqeOpcode.SEND_INVAL).data(local, 0, 300).immediate(victim.key()));
    rig.settle();
    List<RawCqe> cqes = receives.poll(2);
    cqes.get(1).require(CqeOpcode.RESP_SEND_INV, 0);
    assertThat(cqes.get(1).immediate()).isEqualTo(victim.key());
  }

  @Test
  void theLimitIsReportedWhenAWqeIsConsumed() {
    rig.subscribe(pool.object(), HcaEvent.SRQ_LIMIT);
    post(0);
    post(1);
    pool.object().modify(pool.limit(2).bytes());
    send(0, 7 * STRIDE);
    rig.settle();
    assertThat(rig.takeEvents()).isEmpty();
    send(0, 8);
    rig.settle();
    assertThat(rig.takeEvents()).hasSize(1);
  }

  @Test
  void writesAndReadsTakeNoStride() {
    post(0);
    pair.left().post(Wqe.write(remote, 4096).data(local, 0, 600));
    pair.left().post(Wqe.read(remote, 4096).data(local, 8192, 600));
    rig.settle();
    sends.poll(2).forEach(cqe -> assertThat(cqe.isError()).isFalse());
    assertThat(local.bytes(8192, 600)).isEqualTo(local.bytes(0, 600));
    assertThat(receives.poll()).isEmpty();
  }

  @Test
  void messagesArriveWholeOverALossyFabric() {
    LossOptions loss = LossOptions.none(3).withLoss(0.1).withReorder(0.1).withDuplicate(0.1);
    reopen(Rigs.open(loss), false);
    int taken = 0;
    byte[] expected = new byte[4 * WQE_BYTES];
    for (int slot = 0; slot < 4; slot++) {
      post(slot);
    }
    for (int i = 0; i < 6; i++) {
      int bytes = 1 + 230 * i;
      pair.left().post(Wqe.send().data(local, i * 300L, bytes));
      for (int at = 0; at < bytes; at += STRIDE, taken++) {
        int n = Math.min(STRIDE, bytes - at);
        System.arraycopy(local.bytes(i * 300L + at, n), 0, expected, taken * STRIDE, n);
      }
      for (int waits = 0; sends.peek().isEmpty() && waits < 100; waits++) {
        rig.pass(100 * RNR_NANOS);
      }
      sends.pollOne().require(CqeOpcode.REQ, i);
    }
    assertThat(poll()).hasSize(taken);
    assertThat(remote.bytes(0, taken * STRIDE)).isEqualTo(Arrays.copyOf(expected, taken * STRIDE));
  }

  // ---- what is refused

  private RawCqe refused(int syndrome) {
    rig.settle();
    RawCqe cqe = sends.pollOne();
    assertThat(Syndrome.name(cqe.syndrome()))
        .as(cqe.explanation())
        .isEqualTo(Syndrome.name(syndrome));
    assertThat(pair.right().state()).isEqualTo(QpState.ERR);
    return cqe;
  }

  @Test
  void aPacketThatIsLongerThanAStrideIsRefused() {
    pair = connect(new Settings().mtu(2));
    post(0);
    send(0, 257);
    assertThat(refused(Syndrome.REMOTE_INVAL_REQ_ERR).explanation())
        .contains("257 bytes does not fit a stride", "256 bytes (log_wqe_stride_size)");
    assertThat(receives.poll()).isEmpty();
  }

  @Test
  void aScatterListThatIsShorterThanItsStridesIsRefusedWhereItEnds() {
    pool.write(0, 1, remote.address(0), 300, remote.key());
    pool.post(1);
    send(0, 600);
    assertThat(refused(Syndrome.REMOTE_INVAL_REQ_ERR).explanation()).contains("300 bytes");
    List<RawCqe> cqes = receives.poll(2);
    cqes.get(0).require(CqeOpcode.RESP_SEND, 0);
    cqes.get(1).requireError(Syndrome.LOCAL_LENGTH_ERR, 0, "a stride at byte 256");
    assertThat(remote.bytes(256, 600)).containsOnly(0);
  }

  @Test
  void memoryThatTheKeyDoesNotGrantIsRefused() {
    RawMemory readOnly = rig.memory(WQE_BYTES, 0);
    pool.write(0, 1, readOnly.address(0), WQE_BYTES, readOnly.key());
    pool.post(1);
    send(0, 8);
    refused(Syndrome.REMOTE_OP_ERR);
    receives.pollOne().requireError(Syndrome.LOCAL_PROT_ERR, 0, "LOCAL_WRITE");
  }

  @Test
  void memoryOfAProcessThatIsGoneIsRefused() {
    HcaForeignMemory gone =
        new HcaForeignMemory() {
          @Override
          public boolean read(long address, long to, int bytes) {
            return false;
          }

          @Override
          public boolean write(long address, long from, int bytes) {
            return false;
          }
        };
    HcaMemory memory =
        rig.nic()
            .hosting()
            .orElseThrow()
            .registerMemory(rig.domain(), gone, 0, WQE_BYTES, 0, HcaAccess.ALL);
    pool.write(0, 1, 0, WQE_BYTES, memory.lkey());
    pool.post(1);
    send(0, 8);
    refused(Syndrome.REMOTE_OP_ERR);
    receives.pollOne().requireError(Syndrome.LOCAL_PROT_ERR, 0, "lkey");
  }

  @Test
  void aKeyThatMustNotBeInvalidatedFailsTheStride() {
    post(0);
    RawMemory safe = rig.memory(64, HcaAccess.LOCAL_WRITE);
    pair.left().post(new Wqe(WqeOpcode.SEND_INVAL).data(local, 0, 8).immediate(safe.key()));
    refused(Syndrome.REMOTE_ACCESS_ERR);
    receives.pollOne().requireError(Syndrome.LOCAL_ACCESS_ERR, 0, "REMOTE_INVALIDATE");
  }

  @Test
  void aWriteWithImmediateIsRefused() {
    post(0);
    pair.left()
        .post(
            new Wqe(WqeOpcode.RDMA_WRITE_IMM)
                .remote(remote.address(0), remote.key())
                .data(local, 0, 8));
    assertThat(refused(Syndrome.REMOTE_INVAL_REQ_ERR).explanation())
        .contains("has strides, for SENDs only (wq_type)");
  }

  @Test
  void aRecordThatClaimsMoreThanTheRingHoldsIsRefused() {
    pool.writeRecord(5);
    send(0, 8);
    assertThat(refused(Syndrome.REMOTE_OP_ERR).explanation())
        .contains("RMP 0x%x claims more WQEs than the 4".formatted(pool.number()));
  }

  @Test
  void aCompletionQueueThatIsFullEndsTheReceiver() {
    receives = rig.cq(1);
    pair = connect(new Settings().mtu(1));
    post(0);
    send(0, 600);
    rig.settle();
    assertThat(pair.right().state()).isEqualTo(QpState.ERR);
    assertThat(receives.poll()).hasSize(2);
  }

  @Test
  void otherServicesCantUseSuchAPool() {
    for (int service = 1; service <= 2; service++) {
      int st = service;
      HcaException refusal = Rig.refused(() -> rig.qp(new RawQpPlan(sends).service(st).pool(pool)));
      assertThat(refusal.status()).isEqualTo(CommandStatus.BAD_PARAM);
      assertThat(refusal)
          .hasMessageContaining("srqn_rmpn_xrqn names a pool whose WQEs have strides");
    }
  }
}
