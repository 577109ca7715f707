package dev.bluebell.softnic.doorbell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A request does not begin before its doorbell rang, even if the device's thread lost its processor
 * between reading the clock and the doorbells for longer than the request's timeout.
 */
class DoorbellTimeTest {
  private static final int NOBODY = 0x777;
  private static final int TIMEOUT_CODE = 8;
  private static final long TIMEOUT = 4096L << TIMEOUT_CODE;
  private static final long LONG = TimeUnit.SECONDS.toNanos(1);
  private static final int PERIOD_MICROS = 100;
  private static final long PERIOD = TimeUnit.MICROSECONDS.toNanos(PERIOD_MICROS);

  private final ManualClock clock = new ManualClock();
  private Runnable meanwhile = () -> {};
  private final Rig rig =
      new Rig(
          SoftNic.open(SoftNicOptions.DEFAULT.withEngine(EngineMode.STEPPED).withClock(this::read)),
          clock);

  /** Reads the clock; until the reader continues, everything else happens after that reading. */
  private long read() {
    long nanos = clock.nanos();
    Runnable others = meanwhile;
    meanwhile = () -> {};
    others.run();
    return nanos;
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void aRequestHasItsWholeTimeout() {
    RawQp qp = rig.qp(rig.cq(4));
    qp.connect(NOBODY, new Settings().timeout(TIMEOUT_CODE).retryCount(0));
    rig.settle();
    meanwhile =
        () -> {
          clock.advance(LONG);
          qp.post(new Wqe(8).remote(0, 0));
        };
    rig.settle();
    rig.pass(TIMEOUT - 1);
    assertThat(qp.sends().peek()).isEmpty();
    rig.pass(1);
    qp.sends().pollOne().requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0);
  }

  @Test
  void aModerationPeriodIsNotCutShort() {
    RawCq cq =
        new RawCq(
            rig,
            4,
            rig.uar(),
            context -> context.set(Cqc.CQ_PERIOD, PERIOD_MICROS).set(Cqc.CQ_MAX_COUNT, 4));
    RawQp qp = rig.qp(new RawQpPlan(cq));
    qp.connect(qp.number(), new Settings());
    rig.subscribe(cq.object(), HcaEvent.COMPLETION);
    qp.post(Wqe.nop());
    rig.pass(PERIOD);
    meanwhile =
        () -> {
          clock.advance(LONG);
          cq.arm(0, false);
        };
    rig.settle();
    assertThat(rig.takeEvents()).hasSize(1);
    qp.post(Wqe.nop());
    cq.arm(1, false);
    rig.pass(PERIOD - 1);
    assertThat(rig.takeEvents()).isEmpty();
    rig.pass(1);
    assertThat(rig.takeEvents()).hasSize(1);
  }
}
