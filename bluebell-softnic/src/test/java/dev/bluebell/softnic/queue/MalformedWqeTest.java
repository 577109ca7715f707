package dev.bluebell.softnic.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * WQEs with one wrong field: refused with the right syndrome and a sentence that names the field.
 */
class MalformedWqeTest {
  private final Rig rig = Rigs.open();
  private final RawPair pair = rig.pair();
  private final RawMemory local = rig.memory(4096).fill(1);
  private final RawMemory remote = rig.memory(4096).fill(2);

  @AfterEach
  void nothingWasTouched() {
    byte[] localBefore = rig.memory(4096).fill(1).bytes();
    byte[] remoteBefore = rig.memory(4096).fill(2).bytes();
    assertThat(local.bytes()).isEqualTo(localBefore);
    assertThat(remote.bytes()).isEqualTo(remoteBefore);
    local.expectCanaries();
    remote.expectCanaries();
    pair.left().expectCanaries();
    rig.close();
  }

  private Wqe write() {
    return Wqe.write(remote, 0).data(local, 0, 64);
  }

  private RawCqe failed(Wqe wqe) {
    pair.left().post(wqe);
    rig.settle();
    return pair.left().sends().pollOne();
  }

  static IntStream unknownOpcodes() {
    List<Integer> known =
        List.of(
            WqeOpcode.NOP,
            WqeOpcode.SEND,
            WqeOpcode.SEND_IMM,
            WqeOpcode.SEND_INVAL,
            WqeOpcode.RDMA_WRITE,
            WqeOpcode.RDMA_WRITE_IMM,
            WqeOpcode.RDMA_READ,
            WqeOpcode.ATOMIC_CS,
            WqeOpcode.ATOMIC_FA,
            WqeOpcode.LOCAL_MMO);
    return IntStream.range(0, 256).filter(opcode -> !known.contains(opcode));
  }

  @ParameterizedTest
  @MethodSource("unknownOpcodes")
  void anOpcodeThatAnRcQueueDoesNotExecuteIsRefused(int opcode) {
    failed(new Wqe(opcode).remote(remote.address(0), remote.key()).data(local, 0, 8))
        .requireError(
            Syndrome.LOCAL_QP_OP_ERR,
            0,
            "opcode " + WqeOpcode.name(opcode),
            "QP 0x%x send WQE 0".formatted(pair.left().number()));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 255, 65535})
  void aWrongIndexIsRefusedWithItsVendorSyndrome(int index) {
    RawCqe cqe = failed(write().index(index));
    cqe.requireError(
        Syndrome.LOCAL_QP_OP_ERR, 0, "wqe_index in the control segment is " + index, "should be 0");
    assertThat(cqe.vendorSyndrome()).isEqualTo(0x68);
  }

  @ParameterizedTest
  @ValueSource(ints = {13, 28, 1000, 1023, 0x7fffffff})
  void inlineDataThatDsHasNoRoomForIsRefused(int length) {
    failed(new Wqe(WqeOpcode.SEND).words((0x80000000L | length) << 32, 0))
        .requireError(
            Syndrome.LOCAL_LENGTH_ERR, 0, "inline", "byte_count " + length, "12 bytes that ds");
  }

  @Test
  void inlineDataInAReadIsRefused() {
    failed(new Wqe(WqeOpcode.RDMA_READ).remote(remote.address(0), remote.key()).inline(new byte[8]))
        .requireError(Syndrome.LOCAL_QP_OP_ERR, 0, "byte_count", "bit 31", "inline");
  }

  @Test
  void aDataSegmentOfNoBytesStandsFor2GiB() {
    failed(Wqe.write(remote, 0).data(local.address(0), 0, local.key()))
        .requireError(
            Syndrome.LOCAL_LENGTH_ERR,
            0,
            "byte_count",
            Long.toString(1L << 31),
            "byte_count 0 means 2 GiB");
  }

  @Test
  void aNopIsSkippedByItsLengthAndItsContentsAreIgnored() {
    Wqe nop = Wqe.nop();
    for (int i = 0; i < 11; i++) {
      nop.words(-1, -1);
    }
    pair.left().write(nop);
    pair.left().post(Wqe.nop());
    rig.settle();
    List<RawCqe> done = pair.left().sends().poll(2);
    done.get(0).require(CqeOpcode.REQ, 0);
    done.get(1).require(CqeOpcode.REQ, 3);
  }

  @Test
  void requestsBeforeABadWqeCompleteAndLaterOnesAreFlushed() {
    pair.left().write(Wqe.nop());
    pair.left().write(Wqe.nop().unsignalled());
    pair.left().write(new Wqe(0xff));
    pair.left().write(Wqe.nop());
    pair.left().post(Wqe.nop().unsignalled());
    rig.settle();
    List<RawCqe> done = pair.left().sends().poll(4);
    done.get(0).require(CqeOpcode.REQ, 0);
    done.get(1).requireError(Syndrome.LOCAL_QP_OP_ERR, 2);
    for (int i = 2; i < 4; i++) {
      RawCqe flushed = done.get(i).requireError(Syndrome.WR_FLUSH_ERR, i + 1, "in ERR", "WQE 2");
      assertThat(flushed.vendorSyndrome()).isEqualTo(0xf9);
    }
  }

  @Test
  void aWqeThatCannotBeFetchedIsSkippedByItsDs() {
    pair.left().write(Wqe.nop().words(0, 0).words(0, 0).words(0, 0).words(0, 0).index(99));
    pair.left().post(Wqe.nop());
    rig.settle();
    List<RawCqe> done = pair.left().sends().poll(2);
    done.get(0).requireError(Syndrome.LOCAL_QP_OP_ERR, 0, "wqe_index");
    done.get(1).requireError(Syndrome.WR_FLUSH_ERR, 2);
  }

  @Test
  void aWqeWithoutUnitsEndsTheQueueBecauseTheNextCannotBeFound() {
    pair.left().write(Wqe.nop().ds(0));
    pair.left().write(Wqe.nop());
    pair.left().post(Wqe.nop());
    rig.settle();
    pair.left().sends().pollOne().requireError(Syndrome.LOCAL_QP_OP_ERR, 0);
    assertThat(pair.left().query().getInt(Qpc.HW_SQ_WQEBB_COUNTER)).isEqualTo(3);
  }

  @Test
  void theFirstErrorModeReportsTheFirstErrorAndNoFlush() {
    pair.left().write(Wqe.nop().control(ControlSegment.CE_ON_FIRST_ERROR));
    pair.left().write(new Wqe(0xff).control(ControlSegment.CE_ON_FIRST_ERROR));
    pair.left().write(Wqe.nop().control(ControlSegment.CE_ON_FIRST_ERROR));
    pair.left().post(Wqe.nop().control(ControlSegment.CE_ALWAYS_EVENT));
    rig.settle();
    List<RawCqe> done = pair.left().sends().poll(2);
    done.get(0).requireError(Syndrome.LOCAL_QP_OP_ERR, 1);
    done.get(1).requireError(Syndrome.WR_FLUSH_ERR, 3);
  }

  @Test
  void aWqeIsExecutedAsFetched() {
    RawPair slow = rig.pair(new Settings().minRnrTimer(1));
    RawMemory target = rig.memory(64);
    slow.left().post(Wqe.send().data(local, 0, 64));
    rig.settle();
    // It waits for a receive; the ring now has other bytes than were posted.
    for (int i = 0; i < 64; i += 8) {
      Memory.putLong(slow.left().wqebb(0) + i, -1);
    }
    slow.right().receive(target.address(0), 64, target.key());
    rig.pass(10_000);
    slow.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(target.bytes()).isEqualTo(local.bytes(0, 64));
  }

  @ParameterizedTest
  @ValueSource(ints = {13, 14, 15})
  void aWqeThatCrossesTheEndOfTheRingIsExecutedAsFetched(int index) {
    RawPair slow = rig.pair(new Settings().minRnrTimer(1));
    RawMemory target = rig.memory(256);
    for (int i = 0; i < index; i++) {
      slow.left().post(Wqe.nop().unsignalled());
    }
    rig.settle();
    // Four WQEBBs: 13 data segments after the control segment make 14 units.
    Wqe send = Wqe.send();
    for (int i = 0; i < 13; i++) {
      send.data(local, 100L * i, 16);
    }
    slow.left().post(send);
    rig.settle();
    for (int i = 0; i < 4; i++) {
      for (int at = 0; at < 64; at += 8) {
        Memory.putLong(slow.left().wqebb(index + i) + at, -1);
      }
    }
    slow.right().receive(target.address(0), 256, target.key());
    rig.pass(10_000);
    slow.left().sends().pollOne().require(CqeOpcode.REQ, index);
    assertThat(slow.right().receives().pollOne().byteCount()).isEqualTo(13 * 16);
    for (int i = 0; i < 13; i++) {
      assertThat(target.bytes(16L * i, 16)).isEqualTo(local.bytes(100L * i, 16));
    }
    slow.left().expectCanaries();
  }

  @Test
  void theFlightRecorderHoldsTheWholeBadWqe() {
    failed(new Wqe(0xee).remote(0x1122334455667788L, 0x99aabbcc));
    assertThat(rig.nic().diagnosis().orElseThrow().flightRecord())
        .anyMatch(
            line ->
                line.contains("failed at WQE 0") && line.contains("11223344 55667788 99aabbcc"));
  }

  @Test
  void aFullWindowOfTheLongestWqesIsFetchedInTurn() {
    RawPair wide =
        RawPair.connect(
            rig.qp(new RawQpPlan(rig.cq(7)).sizes(8, 3, 4)), rig.qp(rig.cq(4)), new Settings());
    for (int i = 0; i < 15; i++) {
      Wqe nop = Wqe.nop();
      for (int n = 1; n < 63; n++) {
        nop.words(-1, n);
      }
      wide.left().write(nop);
    }
    wide.left().post(Wqe.nop());
    rig.settle();
    List<RawCqe> done = wide.left().sends().poll(16);
    for (int i = 0; i < 16; i++) {
      done.get(i).require(CqeOpcode.REQ, 16 * i);
    }
  }
}
