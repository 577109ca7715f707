package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.option.LossOptions;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.softnic.rig.InfiniBandWay;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawDct;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An InfiniBand port over fabrics that lose, duplicate and delay packets, and under an adversary.
 */
class InfiniBandFabricsTest {
  private static final long SEED = 634;
  private static final int BYTES = 9000;
  private static final int MESSAGES = 6;

  /** More than the ACK timeout of code 14. */
  private static final long TIMEOUT = 70_000_000;

  private enum Weather {
    LOSS(options -> options.withLoss(new LossOptions(0.1, 0.1, 0.1, 1000, SEED))),
    ADVERSARY(options -> options.withAdversary(SEED)),
    STRICT(SoftNicOptions::withStrict);

    private final UnaryOperator<SoftNicOptions> change;

    Weather(UnaryOperator<SoftNicOptions> change) {
      this.change = change;
    }
  }

  private Rig rig;
  private RawMemory source;
  private RawMemory target;
  private InfiniBandWay way;

  private void open(Weather weather) {
    rig = Rigs.openInfiniBand(options -> weather.change.apply(options.withLmc(1)));
    source = rig.memory(BYTES * MESSAGES).fill(1);
    target = rig.memory(BYTES * MESSAGES);
    way = InfiniBandWay.to(rig.nic().queryPort(1).lid() | 1).from(1);
  }

  @AfterEach
  void close() {
    target.expectCanaries();
    rig.close();
  }

  private void settle() {
    for (int i = 0; i < 100; i++) {
      rig.pass(TIMEOUT);
    }
  }

  private void expectAll(RawQp by) {
    settle();
    assertThat(by.sends().poll(MESSAGES)).noneMatch(RawCqe::isError);
    assertThat(target.bytes()).isEqualTo(source.bytes());
  }

  @ParameterizedTest
  @EnumSource
  void aConnectionDeliversAllWrites(Weather weather) {
    open(weather);
    RawPair pair = rig.pair(new Settings().mtu(3).way(way.by(rig.nic().queryGid(1, 0))));
    for (long at = 0; at < MESSAGES * BYTES; at += BYTES) {
      pair.left().post(Wqe.write(target, at).data(source, at, BYTES));
    }
    expectAll(pair.left());
  }

  @ParameterizedTest
  @EnumSource
  void aDynamicConnectionDeliversAllWrites(Weather weather) {
    open(weather);
    RawDct dct = new RawDct(rig, rig.cq(6), new RawPool(rig, false, 4));
    RawQp initiator = rig.qp(new RawQpPlan(rig.cq(8)).initiator().sizes(6, 0, 4));
    initiator.connect(0, new Settings().mtu(3));
    for (int i = 0; i < MESSAGES; i++) {
      Wqe begun =
          i % 2 == 0
              ? way.compactRequest(WqeOpcode.RDMA_WRITE, RawDct.KEY, dct.number())
              : way.request(WqeOpcode.RDMA_WRITE, RawDct.KEY, dct.number());
      initiator.post(
          begun
              .remote(target.address((long) i * BYTES), target.key())
              .data(source, (long) i * BYTES, BYTES));
    }
    expectAll(initiator);
  }

  @ParameterizedTest
  @EnumSource
  void aDatagramThatArrivesIsWhole(Weather weather) {
    open(weather);
    RawQp receiver = rig.qp(new RawQpPlan(rig.cq(6)).service(ServiceType.UD.code()));
    receiver.connect(0, new Settings());
    RawQp sender = rig.qp(new RawQpPlan(rig.cq(6)).service(ServiceType.UD.code()));
    sender.connect(0, new Settings());
    for (int i = 0; i < 8; i++) {
      receiver.receive(target.address(0), BYTES, target.key());
    }
    for (int i = 0; i < MESSAGES; i++) {
      sender.post(
          way.compactRequest(WqeOpcode.SEND, AddressVector.keyWord(0x11111111), receiver.number())
              .data(source, 0, 100));
    }
    settle();
    assertThat(sender.sends().poll(MESSAGES)).noneMatch(RawCqe::isError);
    assertThat(receiver.receives().poll())
        .isNotEmpty()
        .allSatisfy(
            cqe -> {
              assertThat(cqe.opcode()).isEqualTo(CqeOpcode.RESP_SEND);
              assertThat(cqe.byteCount()).isEqualTo(140);
              assertThat(cqe.sourceLid()).isEqualTo(way.lid());
              assertThat(cqe.pathBits()).isEqualTo(1);
            });
    assertThat(target.bytes(40, 100)).isEqualTo(source.bytes(0, 100));
  }
}
