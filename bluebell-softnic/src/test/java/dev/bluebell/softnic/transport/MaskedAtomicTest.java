package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.transport.FaultyFabric.Fate;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Masked atomics from the WQE to the result: sizes, byte order, checks, repetition. */
class MaskedAtomicTest {
  /** More than the ACK timeout of code 14. */
  private static final long TIMEOUT = 70_000_000;

  private final FaultyFabric[] faulty = new FaultyFabric[1];
  private final Rig rig =
      Rigs.open(
          (inside, sink) -> {
            faulty[0] = new FaultyFabric(inside, sink);
            return faulty[0];
          });
  private final RawPair pair = rig.pair();
  private final RawMemory local = rig.memory(64);
  private final RawMemory remote = rig.memory(64);

  @AfterEach
  void close() {
    local.expectCanaries();
    remote.expectCanaries();
    rig.close();
  }

  private RawCqe run(Wqe wqe) {
    pair.left().post(wqe);
    rig.settle();
    return pair.left().sends().pollOne();
  }

  private static Wqe masked(int opcode, int opmod, RawMemory at, long offset) {
    return new Wqe(opcode).opmod(opmod).remote(at.address(offset), at.key());
  }

  @Test
  void aSwapOf8BytesLandsItsResultInHostOrder() {
    remote.putLong(8, 0x1122334455667788L);
    Wqe swap = Wqe.maskedSwap(remote, 8, 0x99, 0x7700, 0xff, 0xff00).data(local, 0, 8);
    RawCqe done = run(swap).require(CqeOpcode.REQ, 0);
    assertThat(done.byteCount()).isEqualTo(8);
    assertThat(done.sendOpcode()).isEqualTo(WqeOpcode.ATOMIC_MASKED_CS);
    assertThat(local.getLong(0)).isEqualTo(0x1122334455667788L);
    assertThat(remote.getLong(8)).isEqualTo(0x1122334455667799L);
  }

  @Test
  void aSwapWhoseComparedBitsDifferChangesNothing() {
    remote.putLong(8, 0x1122334455667788L);
    run(Wqe.maskedSwap(remote, 8, 0x99, 0x7600, 0xff, 0xff00).data(local, 0, 8));
    assertThat(local.getLong(0)).isEqualTo(0x1122334455667788L);
    assertThat(remote.getLong(8)).isEqualTo(0x1122334455667788L);
  }

  @Test
  void aSumOf8BytesKeepsItsFieldsApart() {
    remote.putLong(0, 0xff_00ffL);
    run(Wqe.maskedAdd(remote, 0, 0x01_0001L, 0x8000_0080L).data(local, 0, 8));
    assertThat(remote.getLong(0)).isEqualTo(0x100_0000L);
  }

  @Test
  void theResultOf4BytesLandsBigEndian() {
    Memory.putNativeInt(remote.address(4), 0x01020304);
    Wqe swap =
        masked(WqeOpcode.ATOMIC_MASKED_CS, WqeForm.MASKED_ATOMIC_4, remote, 4)
            .words(0x0a0b0c0d_01020304L, 0xffffffff_ffffffffL)
            .data(local, 0, 4);
    RawCqe done = run(swap).require(CqeOpcode.REQ, 0);
    assertThat(done.byteCount()).isEqualTo(4);
    assertThat(Memory.getInt(local.address(0))).isEqualTo(0x01020304);
    assertThat(Memory.getNativeInt(remote.address(4))).isEqualTo(0x0a0b0c0d);
    assertThat(remote.bytes(8, 8)).containsOnly(0);
    assertThat(local.bytes(4, 8)).containsOnly(0);
  }

  @Test
  void aSumOf4BytesWrapsInThem() {
    Memory.putNativeInt(remote.address(0), -1);
    Wqe add =
        masked(WqeOpcode.ATOMIC_MASKED_FA, WqeForm.MASKED_ATOMIC_4, remote, 0)
            .words(2L << 32, 0)
            .data(local, 0, 4);
    run(add).require(CqeOpcode.REQ, 0);
    assertThat(remote.getLong(0)).isEqualTo(1);
  }

  @Test
  void aSwapOf16BytesFindsAndLeavesTheHighHalfFirst() {
    remote.putLong(16, 6);
    remote.putLong(24, 5);
    Wqe swap =
        masked(WqeOpcode.ATOMIC_MASKED_CS, WqeForm.MASKED_ATOMIC_16, remote, 16)
            .words(60, 50)
            .words(6, 5)
            .words(-1, -1)
            .words(-1, -1)
            .data(local, 0, 16);
    RawCqe done = run(swap).require(CqeOpcode.REQ, 0);
    assertThat(done.byteCount()).isEqualTo(16);
    assertThat(remote.getLong(16)).isEqualTo(60);
    assertThat(remote.getLong(24)).isEqualTo(50);
    assertThat(Memory.getLong(local.address(0))).isEqualTo(6);
    assertThat(Memory.getLong(local.address(8))).isEqualTo(5);
  }

  @Test
  void aSumOf16BytesAddsToTheLowHalfWhichIsTheSecond() {
    remote.putLong(24, 1000);
    Wqe add =
        masked(WqeOpcode.ATOMIC_MASKED_FA, WqeForm.MASKED_ATOMIC_16, remote, 16)
            .words(0, 234)
            .words(0, 0)
            .data(local, 0, 16);
    run(add).require(CqeOpcode.REQ, 0);
    assertThat(remote.getLong(16)).isZero();
    assertThat(remote.getLong(24)).isEqualTo(1234);
    assertThat(Memory.getLong(local.address(0))).isZero();
    assertThat(Memory.getLong(local.address(8))).isEqualTo(1000);
  }

  @Test
  void theCarryOf16BytesGoesFromTheSecondHalfToTheFirst() {
    remote.putLong(16, 60);
    remote.putLong(24, 50);
    Wqe add =
        masked(WqeOpcode.ATOMIC_MASKED_FA, WqeForm.MASKED_ATOMIC_16, remote, 16)
            .words(1, -1)
            .words(0, 0)
            .data(local, 0, 16);
    run(add).require(CqeOpcode.REQ, 0);
    assertThat(remote.getLong(16)).isEqualTo(62);
    assertThat(remote.getLong(24)).isEqualTo(49);
  }

  @ParameterizedTest
  @CsvSource({"8, 2, 4", "9, 4, 8", "10, 8, 16"})
  void anAddressThatIsNotAMultipleOfTheSizeIsRefused(int opmod, int offset, int bytes) {
    Wqe add = masked(WqeOpcode.ATOMIC_MASKED_FA, opmod, remote, 16 + offset).words(1, 0);
    if (bytes == 16) {
      add.words(0, 0);
    }
    run(add.data(local, 0, bytes))
        .requireError(Syndrome.REMOTE_INVAL_REQ_ERR, 0, "is not a multiple of " + bytes);
    assertThat(remote.bytes()).containsOnly(0);
  }

  @ParameterizedTest
  @CsvSource({"1, 4", "1, 8", "1, 16", "2, 4", "2, 16", "3, 16"})
  void aSizeThatTheAtomicModeOfTheResponderDoesNotAllowIsRefused(int mode, int bytes) {
    RawPair narrow = rig.pair(new Settings().atomicMode(mode));
    int opmod = WqeForm.MASKED_ATOMIC_4 + Integer.numberOfTrailingZeros(bytes / 4);
    Wqe add = masked(WqeOpcode.ATOMIC_MASKED_FA, opmod, remote, 0).words(1, 0);
    if (bytes == 16) {
      add.words(0, 0);
    }
    rig.subscribe(narrow.right().object(), HcaEvent.WQ_INVALID_REQUEST);
    narrow.left().post(add.data(local, 0, bytes));
    rig.settle();
    narrow
        .left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.REMOTE_INVAL_REQ_ERR,
            0,
            "atomic_mode %d".formatted(mode),
            "masked atomics of %d bytes".formatted(bytes));
    assertThat(rig.takeEvents()).hasSize(1);
  }

  @Test
  void aQueuePairThatAllowsOnly8BytesExecutesThose() {
    RawPair narrow = rig.pair(new Settings().atomicMode(2));
    narrow.left().post(Wqe.maskedAdd(remote, 0, 3, 0).data(local, 0, 8));
    rig.settle();
    narrow.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(remote.getLong(0)).isEqualTo(3);
  }

  @Test
  void aKeyWithoutTheRightIsRefused() {
    RawMemory closed = rig.memory(64, HcaAccess.LOCAL_WRITE | HcaAccess.REMOTE_WRITE);
    run(Wqe.maskedAdd(closed, 0, 3, 0).data(local, 0, 8))
        .requireError(Syndrome.REMOTE_ACCESS_ERR, 0, "does not grant REMOTE_ATOMIC");
  }

  @Test
  void anOperationThatReachesBeyondTheRegionIsRefused() {
    Wqe add =
        masked(WqeOpcode.ATOMIC_MASKED_FA, WqeForm.MASKED_ATOMIC_16, remote, 64)
            .words(0, 1)
            .words(0, 0)
            .data(local, 0, 16);
    run(add).requireError(Syndrome.REMOTE_ACCESS_ERR, 0);
  }

  @Test
  void aResultOfAnotherLengthIsRefused() {
    run(Wqe.maskedAdd(remote, 0, 3, 0).data(local, 0, 4))
        .requireError(
            Syndrome.LOCAL_LENGTH_ERR,
            0,
            "exactly one data segment with byte_count 8 (ds 4), not 1 with byte_count 4");
  }

  @Test
  void aSizeThatTheOpcodeLacksIsRefused() {
    run(Wqe.maskedAdd(remote, 0, 3, 0).opmod(11).data(local, 0, 8))
        .requireError(
            Syndrome.LOCAL_QP_OP_ERR,
            0,
            "opmod 11 is not valid for opcode ATOMIC_MASKED_FA here; it must be 8 or 9 or 10");
  }

  @Test
  void aKeyThatRefusesTheResultFailsTheRequest() {
    run(Wqe.maskedAdd(remote, 0, 3, 0).data(local.address(0), 8, local.key() ^ 1))
        .requireError(Syndrome.LOCAL_PROT_ERR, 0, "lkey");
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 8, 16})
  void anAnswerThatIsLostIsGivenAgainAndTheOperationIsNotRepeated(int bytes) {
    remote.putLong(bytes == 16 ? 8 : 0, 7);
    AtomicInteger answers = new AtomicInteger();
    faulty[0].onResponse(
        response ->
            BthOpcode.operation(response.opcode) == BthOpcode.ATOMIC_ACKNOWLEDGE
                    && answers.getAndIncrement() == 0
                ? Fate.LOSE
                : Fate.DELIVER);
    int opmod = WqeForm.MASKED_ATOMIC_4 + Integer.numberOfTrailingZeros(bytes / 4);
    Wqe add = masked(WqeOpcode.ATOMIC_MASKED_FA, opmod, remote, 0);
    add = bytes == 4 ? add.words(1L << 32, 0) : bytes == 8 ? add.words(1, 0) : add.words(0, 1);
    pair.left().post((bytes == 16 ? add.words(0, 0) : add).data(local, 0, bytes));
    rig.settle();
    rig.pass(TIMEOUT);
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(answers).hasValue(2);
    assertThat(remote.getLong(bytes == 16 ? 8 : 0)).isEqualTo(8);
    long result =
        switch (bytes) {
          case 4 -> Memory.getInt(local.address(0));
          case 8 -> local.getLong(0);
          default -> Memory.getLong(local.address(8));
        };
    assertThat(result).isEqualTo(7);
  }

  @Test
  void aStandardAtomicAfterAMaskedAtomicIsNotMasked() {
    remote.putLong(0, 1);
    run(Wqe.maskedAdd(remote, 0, 3, -1).data(local, 0, 8));
    assertThat(remote.getLong(0)).isEqualTo(2);
    pair.left().post(Wqe.fetchAndAdd(remote, 0, 3).data(local, 0, 8));
    rig.settle();
    pair.left().sends().pollOne();
    assertThat(remote.getLong(0)).isEqualTo(5);
  }
}
