package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.DctCommands.Dctc;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawDct;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.RawXrcSrq;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.transport.FaultyFabric.Fate;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Masked atomics over extended reliable connections and dynamic ones, plain and with streams. */
class AtomicCrossingsTest {
  /** More than the ACK timeout of code 14. */
  private static final long TIMEOUT = 70_000_000;

  private FaultyFabric fabric;
  private final Rig rig =
      Rigs.open(
          (inside, sink) -> {
            fabric = new FaultyFabric(inside, sink);
            return fabric;
          });
  private final RawMemory local = rig.memory(64);
  private final RawMemory remote = rig.memory(64);

  @AfterEach
  void close() {
    local.expectCanaries();
    remote.expectCanaries();
    rig.close();
  }

  /** A kind of connection. */
  enum Kind {
    EXTENDED,
    DYNAMIC,
    STREAM
  }

  /** A requester of a kind, whose responder has an atomic mode. */
  private final class End {
    private final Kind kind;
    private final RawQp qp;
    private final int srqn;
    private final RawDct dct;

    End(Kind kind, int atomicMode) {
      this.kind = kind;
      RawPool pool = new RawPool(rig, false, 2);
      dct = new RawDct(rig, rig.cq(4), pool, dctc -> dctc.set(Dctc.ATOMIC_MODE, atomicMode));
      if (kind == Kind.EXTENDED) {
        HcaObject xrcd = RawXrcSrq.domain(rig);
        srqn = new RawXrcSrq(rig, xrcd).number();
        qp =
            RawPair.connect(
                    RawXrcSrq.initiator(rig),
                    RawXrcSrq.target(rig, xrcd),
                    new Settings().atomicMode(atomicMode))
                .left();
      } else {
        srqn = 0;
        qp =
            rig.qp(
                new RawQpPlan(rig.cq(6))
                    .initiator()
                    .sizes(6, 0, 4)
                    .change(
                        qpc ->
                            qpc.set(Qpc.LOG_NUM_DCI_STREAM_CHANNELS, kind == Kind.STREAM ? 2 : 0)));
        qp.connect(0, new Settings().mtu(3));
      }
    }

    Wqe request(int opcode) {
      return kind == Kind.EXTENDED ? new Wqe(opcode).xrc(srqn) : Wqe.dynamic(opcode, dct).stream(3);
    }

    Wqe add(int bytes, RawMemory memory) {
      return MaskedAdd.of(
          request(WqeOpcode.ATOMIC_MASKED_FA), bytes, memory.address(0), memory.key());
    }

    RawCqe run(Wqe wqe) {
      qp.post(wqe);
      rig.settle();
      return qp.sends().pollOne();
    }
  }

  private long result(int bytes) {
    return switch (bytes) {
      case 4 -> Memory.getInt(local.address(0));
      case 8 -> local.getLong(0);
      default -> Memory.getLong(local.address(8));
    };
  }

  @ParameterizedTest
  @EnumSource
  void everySizeIsExecutedAndItsResultLands(Kind kind) {
    End end = new End(kind, 4);
    for (int bytes = 4; bytes <= 16; bytes *= 2) {
      remote.putLong(MaskedAdd.low(bytes), bytes);
      RawCqe done = end.run(end.add(bytes, remote).data(local, 0, bytes));
      assertThat(done.isError()).as(done.explanation()).isFalse();
      assertThat(done.byteCount()).isEqualTo(bytes);
      assertThat(remote.getLong(MaskedAdd.low(bytes))).isEqualTo(bytes + 1);
      assertThat(result(bytes)).isEqualTo(bytes);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aSwapOf16BytesComparesAndChangesBothHalves(Kind kind) {
    End end = new End(kind, 4);
    remote.putLong(16, 6);
    remote.putLong(24, 5);
    Wqe swap =
        end.request(WqeOpcode.ATOMIC_MASKED_CS)
            .opmod(WqeForm.MASKED_ATOMIC_16)
            .remote(remote.address(16), remote.key())
            .words(60, 50)
            .words(6, 5)
            .words(-1, -1)
            .words(-1, -1)
            .data(local, 0, 16);
    assertThat(end.run(swap).require(CqeOpcode.REQ, 0).byteCount()).isEqualTo(16);
    assertThat(remote.getLong(16)).isEqualTo(60);
    assertThat(remote.getLong(24)).isEqualTo(50);
    assertThat(Memory.getLong(local.address(0))).isEqualTo(6);
    assertThat(Memory.getLong(local.address(8))).isEqualTo(5);
  }

  @ParameterizedTest
  @EnumSource
  void anAnswerThatIsLostIsGivenAgainAndTheOperationIsNotRepeated(Kind kind) {
    End end = new End(kind, 4);
    for (int bytes = 4; bytes <= 16; bytes *= 2) {
      remote.putLong(MaskedAdd.low(bytes), bytes);
      AtomicInteger answers = new AtomicInteger();
      fabric.onResponse(
          response ->
              FaultyFabric.is(response, BthOpcode.ATOMIC_ACKNOWLEDGE)
                      && answers.getAndIncrement() == 0
                  ? Fate.LOSE
                  : Fate.DELIVER);
      end.qp.post(end.add(bytes, remote).data(local, 0, bytes));
      rig.settle();
      rig.pass(TIMEOUT);
      RawCqe done = end.qp.sends().pollOne();
      assertThat(done.isError()).as(done.explanation()).isFalse();
      assertThat(answers).hasValue(2);
      assertThat(remote.getLong(MaskedAdd.low(bytes))).isEqualTo(bytes + 1);
      assertThat(result(bytes)).isEqualTo(bytes);
    }
  }

  @ParameterizedTest
  @EnumSource
  void requestsThatAreRepeatedOnTheirWayAreExecutedOnce(Kind kind) {
    End end = new End(kind, 4);
    fabric.onRequest(request -> Fate.REPEAT);
    fabric.onResponse(response -> Fate.REPEAT);
    for (int bytes = 4; bytes <= 16; bytes *= 2) {
      for (int i = 0; i < 3; i++) {
        end.qp.post(end.add(bytes, remote).data(local, 0, bytes));
      }
      rig.settle();
      assertThat(end.qp.sends().poll(3)).noneMatch(RawCqe::isError);
    }
    assertThat(remote.getLong(0)).isEqualTo(6);
    assertThat(remote.getLong(MaskedAdd.low(16))).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource
  void aSizeThatTheAtomicModeOfTheResponderDoesNotAllowIsRefused(Kind kind) {
    End end = new End(kind, 3);
    end.run(end.add(8, remote).data(local, 0, 8)).require(CqeOpcode.REQ, 0);
    end.run(end.add(16, remote).data(local, 0, 16))
        .requireError(
            Syndrome.REMOTE_INVAL_REQ_ERR,
            end.qp.index() - 2 & 0xffff,
            "atomic_mode 3",
            "masked atomics of 16 bytes");
    assertThat(remote.getLong(0)).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void aKeyWithoutTheRightIsRefused(Kind kind) {
    End end = new End(kind, 4);
    RawMemory closed = rig.memory(64, HcaAccess.LOCAL_WRITE | HcaAccess.REMOTE_WRITE);
    end.run(end.add(16, closed).data(local, 0, 16))
        .requireError(Syndrome.REMOTE_ACCESS_ERR, 0, "does not grant REMOTE_ATOMIC");
    assertThat(closed.bytes()).containsOnly(0);
  }

  @ParameterizedTest
  @EnumSource
  void aStandardAtomicAfterAMaskedAtomicIsNotMasked(Kind kind) {
    End end = new End(kind, 4);
    Wqe noCarry =
        end.request(WqeOpcode.ATOMIC_MASKED_FA)
            .opmod(WqeForm.MASKED_ATOMIC_8)
            .remote(remote.address(0), remote.key())
            .words(3, -1);
    remote.putLong(0, 1);
    end.run(noCarry.data(local, 0, 8));
    assertThat(remote.getLong(0)).isEqualTo(2);
    Wqe plain =
        end.request(WqeOpcode.ATOMIC_FA).remote(remote.address(0), remote.key()).words(3, 0);
    end.run(plain.data(local, 0, 8));
    assertThat(remote.getLong(0)).isEqualTo(5);
  }
}
