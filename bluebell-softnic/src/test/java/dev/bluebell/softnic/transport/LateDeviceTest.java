package dev.bluebell.softnic.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CounterCommands.QueryQCounterIn;
import dev.bluebell.hca.command.CounterCommands.QueryQCounterOut;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.LossOptions;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawDct;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Time during which the device itself is late does not count: a request times out only if its
 * response could have arrived and did not. In each test the device is late, because its clock jumps
 * by seconds between two steps.
 */
class LateDeviceTest {
  private static final long SECONDS = TimeUnit.SECONDS.toNanos(5);

  /** A timeout of 8 µs. */
  private static final int TIMEOUT_CODE = 1;

  private static final long TIMEOUT = 4096L << TIMEOUT_CODE;

  /** More bytes than one step moves. */
  private static final int LONG = 16 << 20;

  private static final int MANY_STEPS = 20_000;
  private static final int OTHERS = 40;
  private static final int SEEDS = 40;

  /** Settings of a requester that fails at the first timeout. */
  private static Settings impatient() {
    return new Settings().timeout(TIMEOUT_CODE).retryCount(0);
  }

  private static long counted(Rig rig, Field field) {
    byte[] command = View.command(QueryQCounterIn.STRUCTURE, CommandOpcode.QUERY_Q_COUNTER).bytes();
    return View.over(rig.nic().execute(command)).get(field);
  }

  /** Steps the device, with seconds between the steps, until so many requests succeeded. */
  private static void finishLate(Rig rig, RawQp requester, int requests) {
    finishLate(rig, requester, requests, () -> {});
  }

  /**
   * The same with a command between the steps, which delays the device for seconds.
   *
   * @param command may do anything
   */
  private static void finishLate(Rig rig, RawQp requester, int requests, Runnable command) {
    List<RawCqe> done = new ArrayList<>();
    for (int step = 0; done.size() < requests; step++) {
      assertThat(step).isLessThan(MANY_STEPS);
      int unused = rig.nic().step();
      rig.clock().advance(SECONDS);
      command.run();
      done.addAll(requester.sends().poll());
      assertThat(done).noneMatch(RawCqe::isError);
    }
    assertThat(counted(rig, QueryQCounterOut.LOCAL_ACK_TIMEOUT_ERR)).isZero();
    assertThat(counted(rig, QueryQCounterOut.DUPLICATE_REQUEST)).isZero();
  }

  // ---- late, not lost

  @Test
  void aReadThatIsAnsweredInManyTurnsIsNotTriedAgain() {
    try (Rig rig = Rigs.open()) {
      RawPair pair = rig.pair(impatient());
      pair.left().post(Wqe.read(rig.memory(LONG), 0).data(rig.memory(LONG), 0, LONG));
      finishLate(rig, pair.left(), 1);
    }
  }

  @Test
  void aCommandThatHoldsUpTheDeviceCausesNoRetry() {
    try (Rig rig = Rigs.open()) {
      RawPair pair = rig.pair(impatient());
      RawMemory from = rig.memory(LONG);
      RawMemory into = rig.memory(LONG);
      pair.left().post(Wqe.read(from, 0).data(into, 0, LONG));
      pair.left().post(Wqe.write(from, 0).data(into, 0, LONG));
      // Deregistering a key gives turns to the queues of its client.
      finishLate(rig, pair.left(), 2, () -> rig.memory(64).registration().close());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8, 15})
  void aMessageThatIsSentInManyTurnsIsNotTriedAgain(int logAsked) {
    try (Rig rig = Rigs.open()) {
      RawPair pair = rig.pair(impatient().asksAfter(logAsked));
      pair.left().post(Wqe.write(rig.memory(LONG), 0).data(rig.memory(LONG), 0, LONG));
      finishLate(rig, pair.left(), 1);
    }
  }

  @Test
  void aReadFromADynamicTargetIsNotTriedAgain() {
    try (Rig rig = Rigs.open()) {
      RawDct target = new RawDct(rig, rig.cq(6), new RawPool(rig, false, 4));
      RawQp initiator = rig.qp(DynamicConnections.plan(rig));
      initiator.connect(0, impatient().mtu(DynamicConnections.MTU_CODE));
      RawMemory from = rig.memory(LONG);
      initiator.post(
          Wqe.dynamic(WqeOpcode.RDMA_READ, target)
              .remote(from.address(0), from.key())
              .data(rig.memory(LONG), 0, LONG));
      finishLate(rig, initiator, 1);
    }
  }

  @Test
  void aPeerWhoseTurnsOtherClientsDelayIsNotGivenUp() {
    Rig device = Rigs.open();
    Rig asks = client(device);
    Rig answers = client(device);
    List<Rig> others = new ArrayList<>();
    for (int i = 0; i < OTHERS; i++) {
      Rig other = client(device);
      RawMemory memory = other.memory(1 << 20);
      RawQp busy = other.pair().left();
      for (int j = 0; j < 4; j++) {
        busy.post(Wqe.write(memory, 0).data(memory, 0, 1 << 20));
      }
      others.add(other);
    }
    RawPair pair =
        RawPair.connect(asks.qp(asks.cq(6)), answers.qp(answers.cq(6)), impatient().asksAfter(15));
    RawMemory from = answers.memory(1 << 18);
    RawMemory into = asks.memory(1 << 18);
    pair.left().post(Wqe.read(from, 0).data(into, 0, 1 << 18));
    pair.left().post(Wqe.write(from, 0).data(into, 0, 1 << 18));
    finishLate(device, pair.left(), 2);
    asks.close();
    answers.close();
    others.forEach(Rig::close);
    device.close();
  }

  private static Rig client(Rig device) {
    return new Rig((SoftNic) device.nic().hosting().orElseThrow().openClient(), device.clock());
  }

  @Test
  void noOrderOfTurnsMakesARequestTimeOut() {
    for (long seed = 0; seed < SEEDS; seed++) {
      long drawn = seed;
      try (Rig rig = Rigs.open(options -> options.withAdversary(drawn))) {
        RawPair pair = rig.pair(impatient());
        RawMemory memory = rig.memory(1 << 16);
        for (int i = 0; i < 3; i++) {
          pair.left().post(Wqe.write(memory, 0).data(memory, 1 << 15, 1 << 14));
          pair.left().post(Wqe.read(memory, 0).data(memory, 1 << 15, 1 << 14));
          pair.left().post(Wqe.fetchAndAdd(memory, 0, 1).data(memory, 8, 8));
        }
        finishLate(rig, pair.left(), 9);
      }
    }
  }

  @Test
  void packetsThatADelayingFabricDeliversLateAreNotLost() {
    for (long seed = 0; seed < SEEDS; seed++) {
      // Both ways together are shorter than the timeout.
      try (Rig rig = Rigs.open(LossOptions.none(seed).withDelayNanos(TIMEOUT / 2))) {
        RawPair pair = rig.pair(impatient());
        RawMemory memory = rig.memory(8192);
        pair.left().post(Wqe.write(memory, 0).data(memory, 4096, 4096));
        pair.left().post(Wqe.read(memory, 0).data(memory, 4096, 4096));
        finishLate(rig, pair.left(), 2);
      }
    }
  }

  @Test
  void aWaitForTheReceiverIsOneRetryHoweverLongItLasts() {
    try (Rig rig = Rigs.open()) {
      RawPair pair = rig.pair(impatient().rnrRetry(1));
      RawMemory memory = rig.memory(64);
      pair.left().post(Wqe.send().data(memory, 0, 8));
      rig.settle();
      rig.clock().advance(SECONDS);
      pair.right().receive(memory.address(32), 32, memory.key());
      finishLate(rig, pair.left(), 1);
      assertThat(counted(rig, QueryQCounterOut.OUT_OF_BUFFER)).isEqualTo(1);
    }
  }

  // ---- lost

  @Test
  void aPacketThatTheNetworkTakesLongerForTimesOut() {
    try (Rig rig = Rigs.open(LossOptions.none(1).withDelayNanos(SECONDS))) {
      RawPair pair = rig.pair(impatient());
      pair.left().post(new Wqe(8).remote(0, 0));
      rig.settle();
      rig.pass(TIMEOUT);
      pair.left().sends().pollOne().requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0);
    }
  }

  @Test
  void aPeerThatFailsBeforeItAnsweredIsGivenUp() {
    try (Rig rig = Rigs.open()) {
      RawPair pair = beginsToRead(rig);
      pair.right().toError();
      rig.pass(TIMEOUT);
      pair.left().sends().pollOne().requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0);
    }
  }

  @Test
  void aPeerThatIsDestroyedBeforeItAnsweredIsGivenUp() {
    try (Rig rig = Rigs.open()) {
      RawPair pair = beginsToRead(rig);
      pair.right().object().close();
      rig.pass(TIMEOUT);
      pair.left().sends().pollOne().requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0);
    }
  }

  private static RawPair beginsToRead(Rig rig) {
    RawPair pair = rig.pair(impatient());
    pair.left().post(Wqe.read(rig.memory(LONG), 0).data(rig.memory(LONG), 0, LONG));
    int unused = rig.nic().step();
    assertThat(pair.left().sends().peek()).isEmpty();
    return pair;
  }

  @Test
  void aPeerThatFailsAfterTheDeviceWasLateIsGivenUpOneTimeoutLater() {
    try (Rig rig = Rigs.open()) {
      RawPair pair = beginsToRead(rig);
      rig.clock().advance(SECONDS);
      int unused = rig.nic().step();
      pair.right().toError();
      rig.pass(TIMEOUT - 1);
      assertThat(pair.left().sends().peek()).isEmpty();
      rig.pass(1);
      pair.left().sends().pollOne().requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 0);
      assertThat(counted(rig, QueryQCounterOut.LOCAL_ACK_TIMEOUT_ERR)).isEqualTo(1);
    }
  }
}
