package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** With cs_req or cs_res, small data arrives in the CQE only. */
class ScatterToCqeTest {
  private static final int RC = 0;
  private static final int UC = 1;

  private final Rig rig = Rigs.open();
  private final RawMemory source = rig.memory(256).fill(3);
  private final RawMemory target = rig.memory(256);

  @AfterEach
  void close() {
    source.expectCanaries();
    target.expectCanaries();
    rig.close();
  }

  private RawQpPlan plan(RawCq cq, boolean large, int service) {
    int answers = service == RC ? large ? Qpc.CS_REQ_64 : Qpc.CS_REQ_32 : 0;
    int messages = large ? Qpc.CS_RES_64 : Qpc.CS_RES_32;
    return new RawQpPlan(cq)
        .service(service)
        .change(qpc -> qpc.set(Qpc.CS_REQ, answers).set(Qpc.CS_RES, messages));
  }

  private RawPair pair(boolean large, int service) {
    return RawPair.connect(
        rig.qp(plan(large ? RawCq.large(rig, 4) : rig.cq(4), large, service)),
        rig.qp(plan(large ? RawCq.large(rig, 4) : rig.cq(4), large, service)),
        new Settings());
  }

  /** Format of the newest entry that was not polled. */
  private static int format(RawCq cq) {
    return Cqe.format(Memory.getLong(cq.entry(cq.consumer()) + Cqe.LAST_WORD));
  }

  /** The data of the next entry to be polled. */
  private static byte[] data(RawCq cq, boolean large, int bytes) {
    byte[] data = new byte[bytes];
    long at = cq.entry(cq.consumer()) - (large ? 64 : 0);
    for (int i = 0; i < bytes; i++) {
      data[i] = Memory.getByte(at + i);
    }
    return data;
  }

  // ---- messages

  @ParameterizedTest
  @CsvSource({
    "false, 0, 1",
    "false, 0, 20",
    "false, 0, 32",
    "false, 1, 32",
    "true, 0, 1",
    "true, 0, 33",
    "true, 0, 64",
    "true, 1, 64"
  })
  void aSmallMessageArrivesInTheCqeOnly(boolean large, int service, int bytes) {
    RawPair pair = pair(large, service);
    RawCq receives = pair.right().receives();
    pair.right().receive(target.address(0), 256, target.key());
    pair.left().post(Wqe.send().data(source, 0, bytes));
    rig.settle();
    assertThat(format(receives)).isEqualTo(large ? Cqe.FORMAT_INLINE_64 : Cqe.FORMAT_INLINE_32);
    assertThat(data(receives, large, bytes)).isEqualTo(source.bytes(0, bytes));
    RawCqe done = receives.pollOne().require(CqeOpcode.RESP_SEND, 0);
    assertThat(done.byteCount()).isEqualTo(bytes);
    assertThat(done.userIndex()).isEqualTo(0x123456);
    assertThat(target.bytes()).containsOnly(0);
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    receives.expectCanaries();
  }

  @ParameterizedTest
  @CsvSource({"false, 33", "true, 65", "false, 0", "true, 0"})
  void aLargerMessageOrAnEmptyOneArrivesAsUsual(boolean large, int bytes) {
    RawPair pair = pair(large, RC);
    RawCq receives = pair.right().receives();
    pair.right().receive(target.address(0), 256, target.key());
    pair.left().post(Wqe.send().data(source, 0, bytes));
    rig.settle();
    assertThat(format(receives)).isZero();
    assertThat(receives.pollOne().byteCount()).isEqualTo(bytes);
    assertThat(target.bytes(0, bytes)).isEqualTo(source.bytes(0, bytes));
  }

  @Test
  void theEntryAfterAnInlineEntryHoldsNoData() {
    RawPair pair = pair(false, RC);
    RawCq receives = pair.right().receives();
    for (int bytes : new int[] {32, 33}) {
      pair.right().receive(target.address(0), 256, target.key());
      pair.left().post(Wqe.send().data(source, 0, bytes));
    }
    rig.settle();
    receives.poll(2);
    long second = receives.entry(1);
    for (int i = 0; i < 24; i++) {
      assertThat(Memory.getByte(second + i)).isZero();
    }
  }

  @Test
  void anImmediateComesWithTheData() {
    RawPair pair = pair(false, RC);
    RawCq receives = pair.right().receives();
    pair.right().receive(target.address(0), 256, target.key());
    pair.left().post(new Wqe(WqeOpcode.SEND_IMM).immediate(7).data(source, 0, 8));
    rig.settle();
    assertThat(data(receives, false, 8)).isEqualTo(source.bytes(0, 8));
    RawCqe done = receives.pollOne().require(CqeOpcode.RESP_SEND_IMM, 0);
    assertThat(done.immediate()).isEqualTo(7);
  }

  @Test
  void theKeyOfAMessageInACqeIsInvalidated() {
    RawPair pair = pair(false, RC);
    RawMemory given = rig.memory(64);
    for (int key : new int[] {given.key(), given.key()}) {
      pair.right().receive(target.address(0), 256, target.key());
      pair.left().post(new Wqe(WqeOpcode.SEND_INVAL).immediate(key).data(source, 0, 8));
    }
    rig.settle();
    assertThat(data(pair.right().receives(), false, 8)).isEqualTo(source.bytes(0, 8));
    List<RawCqe> received = pair.right().receives().poll(2);
    received.getFirst().require(CqeOpcode.RESP_SEND_INV, 0);
    assertThat(received.getFirst().immediate()).isEqualTo(given.key());
    // The key has ended, so that the second message can't end it.
    received.getLast().requireError(Syndrome.LOCAL_ACCESS_ERR, 1);
    List<RawCqe> sent = pair.left().sends().poll(2);
    sent.getLast().requireError(Syndrome.REMOTE_ACCESS_ERR, 1);
  }

  @Test
  void aKeyThatDoesNotExistFailsBothEnds() {
    RawPair pair = pair(false, RC);
    pair.right().receive(target.address(0), 256, target.key());
    pair.left().post(new Wqe(WqeOpcode.SEND_INVAL).immediate(0x7700).data(source, 0, 8));
    rig.settle();
    pair.left().sends().pollOne().requireError(Syndrome.REMOTE_ACCESS_ERR, 0);
    pair.right().receives().pollOne().requireError(Syndrome.LOCAL_ACCESS_ERR, 0);
  }

  @Test
  void aSmallMessageIsRefusedIfItsReceiveHasNoRoomForIt() {
    RawPair pair = pair(false, RC);
    pair.right().receive(target.address(0), 8, target.key());
    pair.left().post(Wqe.send().data(source, 0, 9));
    rig.settle();
    pair.left().sends().pollOne().requireError(Syndrome.REMOTE_INVAL_REQ_ERR, 0);
    pair.right()
        .receives()
        .pollOne()
        .requireError(Syndrome.LOCAL_LENGTH_ERR, 0, "a message of 9 bytes");
  }

  @Test
  void theBuffersOfAMessageInACqeAreNotLookedAt() {
    RawPair pair = pair(false, RC);
    pair.right().receive(target.address(0), 64, 0x7700);
    pair.left().post(Wqe.send().data(source, 0, 9));
    rig.settle();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    pair.right().receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
  }

  @Test
  void aMessageFindsNoReceiveAndComesAgain() {
    RawPair pair = pair(false, RC);
    pair.left().post(Wqe.send().data(source, 0, 9));
    rig.settle();
    pair.right().receive(target.address(0), 64, target.key());
    rig.pass(1_000_000);
    assertThat(data(pair.right().receives(), false, 9)).isEqualTo(source.bytes(0, 9));
    pair.right().receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
  }

  @Test
  void aMessageOfAPoolArrivesInTheCqeToo() {
    RawPool pool = new RawPool(rig, true, 3);
    RawPair pair =
        RawPair.connect(
            rig.qp(rig.cq(4)), rig.qp(plan(rig.cq(4), false, RC).pool(pool)), new Settings());
    pool.write(0, 1, target.address(0), 64, target.key());
    pool.post(1);
    pair.left().post(Wqe.send().data(source, 0, 30));
    rig.settle();
    assertThat(data(pair.right().receives(), false, 30)).isEqualTo(source.bytes(0, 30));
    pair.right().receives().pollOne().require(CqeOpcode.RESP_SEND, 0);
    assertThat(target.bytes()).containsOnly(0);
  }

  @Test
  void aWriteWithImmediateWritesMemory() {
    RawPair pair = pair(false, RC);
    pair.right().receiveNothing();
    Wqe write =
        new Wqe(WqeOpcode.RDMA_WRITE_IMM).remote(target.address(0), target.key()).immediate(7);
    pair.left().post(write.data(source, 0, 8));
    rig.settle();
    assertThat(format(pair.right().receives())).isZero();
    pair.right().receives().pollOne().require(CqeOpcode.RESP_WR_IMM, 0);
    assertThat(target.bytes(0, 8)).isEqualTo(source.bytes(0, 8));
  }

  // ---- answers

  @ParameterizedTest
  @CsvSource({"false, 1", "false, 32", "true, 32", "true, 64"})
  void dataOfASmallReadArrivesInTheCqeOnly(boolean large, int bytes) {
    RawPair pair = pair(large, RC);
    RawCq sends = pair.left().sends();
    pair.left().post(Wqe.read(source, 0).data(target, 0, bytes));
    rig.settle();
    assertThat(format(sends)).isEqualTo(large ? Cqe.FORMAT_INLINE_64 : Cqe.FORMAT_INLINE_32);
    assertThat(data(sends, large, bytes)).isEqualTo(source.bytes(0, bytes));
    assertThat(sends.pollOne().require(CqeOpcode.REQ, 0).byteCount()).isEqualTo(bytes);
    assertThat(target.bytes()).containsOnly(0);
  }

  @Test
  void aReadIntoSeveralPiecesArrivesInTheCqeToo() {
    RawPair pair = pair(false, RC);
    RawCq sends = pair.left().sends();
    pair.left().post(Wqe.read(source, 0).data(target, 0, 8).data(target, 64, 8));
    rig.settle();
    assertThat(data(sends, false, 16)).isEqualTo(source.bytes(0, 16));
    sends.pollOne().require(CqeOpcode.REQ, 0);
    assertThat(target.bytes()).containsOnly(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {33, 200})
  void aLargerReadLandsInMemory(int bytes) {
    RawPair pair = pair(false, RC);
    pair.left().post(Wqe.read(source, 0).data(target, 0, bytes));
    rig.settle();
    assertThat(format(pair.left().sends())).isZero();
    assertThat(target.bytes(0, bytes)).isEqualTo(source.bytes(0, bytes));
  }

  @Test
  void aReadWithoutACompletionLandsInMemory() {
    RawPair pair = pair(false, RC);
    pair.left().post(Wqe.read(source, 0).unsignalled().data(target, 0, 8));
    rig.settle();
    assertThat(pair.left().sends().peek()).isEmpty();
    assertThat(target.bytes(0, 8)).isEqualTo(source.bytes(0, 8));
  }

  @Test
  void severalAnswersKeepTheirData() {
    RawPair pair = pair(false, RC);
    for (int i = 0; i < 8; i++) {
      pair.left().post(Wqe.read(source, 16L * i).data(target, 0, 16));
    }
    rig.settle();
    RawCq sends = pair.left().sends();
    for (int i = 0; i < 8; i++) {
      long at = sends.entry(i);
      assertThat(Memory.getLong(at)).isEqualTo(Memory.getLong(source.address(16L * i)));
    }
    sends.poll(8);
  }

  @Test
  void theResultOfAnAtomicIsBigEndianInTheCqe() {
    RawPair pair = pair(false, RC);
    RawCq sends = pair.left().sends();
    target.putLong(0, 0x0102030405060708L);
    pair.left().post(Wqe.fetchAndAdd(target, 0, 1).data(source, 0, 8));
    rig.settle();
    assertThat(data(sends, false, 8)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
    assertThat(sends.pollOne().require(CqeOpcode.REQ, 0).byteCount()).isEqualTo(8);
    pair.left().post(Wqe.maskedAdd(target, 0, 1, 0).data(source, 0, 8));
    rig.settle();
    assertThat(data(sends, false, 8)).containsExactly(1, 2, 3, 4, 5, 6, 7, 9);
    sends.pollOne().require(CqeOpcode.REQ, 1);
    assertThat(target.getLong(0)).isEqualTo(0x010203040506070aL);
  }

  @Test
  void aQueuePairWithoutScatterToCqeWritesMemory() {
    RawPair pair = rig.pair();
    pair.right().receive(target.address(0), 64, target.key());
    pair.left().post(Wqe.send().data(source, 0, 8));
    rig.settle();
    assertThat(format(pair.right().receives())).isZero();
    assertThat(target.bytes(0, 8)).isEqualTo(source.bytes(0, 8));
  }

  @Test
  void anUnreliableConnectionThatHasNoRoomInItsQueueFails() {
    RawPair pair =
        RawPair.connect(
            rig.qp(plan(rig.cq(6), false, UC)),
            rig.qp(plan(rig.cq(0), false, UC).sizes(4, 3, 4)),
            new Settings());
    for (int i = 0; i < 2; i++) {
      pair.right().receive(target.address(0), 64, target.key());
      pair.left().post(Wqe.send().data(source, 0, 8));
    }
    rig.settle();
    assertThat(rig.explanations().toString()).contains("overrun");
  }
}
