package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A failure is reported for the request that caused it: requests acknowledged before it complete,
 * and later ones are flushed.
 */
class BlameTest {
  private static final int PSN = 0x1000;
  private static final long TIMEOUT = 4096 << 3;
  private static final long TEN_MICROSECONDS = 10_000;

  private final Wire wire = new Wire();
  private final Rig rig = wire.open();
  private final RawMemory local = rig.memory(64).fill(1);
  private final RawMemory remote = rig.memory(64);

  @AfterEach
  void close() {
    rig.close();
  }

  private Wqe write(int offset) {
    return Wqe.write(remote, offset).data(local, offset, 8);
  }

  /** Expects that the WRITE before it completed, that request 1 failed, and the flush behind it. */
  private static void expectBlamed(List<RawCqe> done, int syndrome, String explained) {
    assertThat(done).hasSize(3);
    done.get(0).require(CqeOpcode.REQ, 0);
    done.get(1).requireError(syndrome, 1, "send WQE 1", explained);
    done.get(2).requireError(Syndrome.WR_FLUSH_ERR, 2);
  }

  @Test
  void anRnrNakCompletesTheWriteBeforeItAtOnce() {
    RawPair pair = rig.pair(new Settings().rnrRetry(1));
    pair.left().write(write(0));
    pair.left().post(Wqe.send().data(local, 8, 8));
    rig.settle();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(remote.bytes(0, 8)).isEqualTo(local.bytes(0, 8));
    pair.right().receive(remote.address(8), 8, remote.key());
    rig.pass(TEN_MICROSECONDS);
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void exhaustedRnrRetriesBlameTheSendAndNotTheWriteBeforeIt(int retries) {
    RawPair pair = rig.pair(new Settings().rnrRetry(retries));
    pair.left().write(write(0));
    pair.left().write(Wqe.send().data(local, 8, 8));
    pair.left().post(write(16));
    rig.settle();
    List<RawCqe> done = new ArrayList<>(pair.left().sends().poll());
    for (int i = 0; i < retries; i++) {
      assertThat(done).hasSize(1);
      rig.pass(TEN_MICROSECONDS);
      done.addAll(pair.left().sends().poll());
    }
    expectBlamed(done, Syndrome.RNR_RETRY_EXC_ERR, "rnr_retry %d".formatted(retries));
    assertThat(remote.bytes(16, 8)).containsOnly(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void exhaustedRetriesBlameTheOldestRequestThatIsNotAcknowledged(int retries) {
    RawPair pair = rig.pair(new Settings().timeout(3).retryCount(retries));
    pair.left().post(write(0));
    rig.settle();
    List<RawCqe> done = new ArrayList<>(pair.left().sends().poll());
    wire.loseRequests(true);
    pair.left().write(write(8));
    pair.left().post(write(16));
    rig.settle();
    for (int i = 0; i <= retries; i++) {
      assertThat(pair.left().sends().peek()).isEmpty();
      rig.pass(TIMEOUT);
    }
    done.addAll(pair.left().sends().poll());
    expectBlamed(
        done,
        Syndrome.TRANSPORT_RETRY_EXC_ERR,
        "after %s".formatted(Counted.of(retries, "retry", "retries")));
  }

  @Test
  void aNakOfAGapWithoutRetriesBlamesTheRequestThatIsMissing() {
    RawPair pair = rig.pair(new Settings().timeout(3).retryCount(0));
    wire.loseRequest(PSN + 1);
    pair.left().write(write(0));
    pair.left().write(write(8));
    pair.left().post(write(16));
    rig.settle();
    expectBlamed(
        pair.left().sends().poll(), Syndrome.TRANSPORT_RETRY_EXC_ERR, "missed PSN 0x001001");
    assertThat(remote.bytes(0, 8)).isEqualTo(local.bytes(0, 8));
    assertThat(remote.bytes(8, 16)).containsOnly(0);
  }

  @Test
  void aRefusalCompletesTheWriteBeforeItAndBlamesTheRefusedWrite() {
    RawPair pair = rig.pair();
    pair.left().write(write(0));
    pair.left().write(Wqe.write(remote, 60).data(local, 8, 8));
    pair.left().post(write(16));
    rig.settle();
    expectBlamed(pair.left().sends().poll(), Syndrome.REMOTE_ACCESS_ERR, "outside the region");
    assertThat(remote.bytes(8, 56)).containsOnly(0);
  }
}
