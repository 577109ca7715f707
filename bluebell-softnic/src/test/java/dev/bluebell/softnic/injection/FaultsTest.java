package dev.bluebell.softnic.injection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.counter.PortCounter;
import dev.bluebell.hca.counter.PortCounters;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.option.FaultOptions;
import dev.bluebell.softnic.rig.InfiniBandWay;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Configured faults happen at the configured time, and are explained. */
class FaultsTest {
  private static final long SEED = 7;
  private static final long MICRO = 1_000;

  private final List<Rig> rigs = new ArrayList<>();

  @AfterEach
  void close() {
    rigs.forEach(Rig::close);
  }

  private Rig open(String rules) {
    Rig rig = Rigs.open(options -> options.withFaults(FaultOptions.parse(rules, SEED)));
    rigs.add(rig);
    return rig;
  }

  private static Wqe write(RawMemory memory) {
    return Wqe.write(memory, 0).data(memory, 32, 8);
  }

  @Test
  void aFaultThatStrikesOnceSparesTheQueuePairsThatComeLater() {
    Rig rig = open("remote-access@2:once");
    RawMemory memory = rig.memory(64);
    RawPair first = rig.pair();
    RawPair second = rig.pair();
    for (int i = 0; i < 2; i++) {
      second.left().post(write(memory));
      rig.settle();
      first.left().post(write(memory));
      rig.settle();
    }
    List<RawCqe> struck = second.left().sends().poll(2);
    struck.getFirst().require(CqeOpcode.REQ, 0);
    assertThat(struck.getLast().syndrome()).isEqualTo(Syndrome.REMOTE_ACCESS_ERR);
    List<RawCqe> spared = first.left().sends().poll(2);
    spared.getFirst().require(CqeOpcode.REQ, 0);
    spared.getLast().require(CqeOpcode.REQ, 1);
    assertThat(rig.explanations())
        .anySatisfy(line -> assertThat(line).contains("(fail=remote-access@2:once"));
  }

  @Test
  void aSeedRepeatsTheDrawsOnADeviceWithOtherNumbers() {
    assertThat(failed(1)).isEqualTo(failed(2)).contains(true, false);
  }

  /** Whether the only request of each of 16 queue pairs fails. */
  private List<Boolean> failed(int identity) {
    Rig rig =
        Rigs.open(
            options ->
                options
                    .withIdentity(identity)
                    .withFaults(FaultOptions.parse("remote-op@50%", SEED)));
    rigs.add(rig);
    return IntStream.range(0, 16)
        .mapToObj(
            number -> {
              RawQp left = rig.pair().left();
              left.post(Wqe.nop());
              rig.settle();
              return left.sends().poll(1).getFirst().opcode() != CqeOpcode.REQ;
            })
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "local-length, 1, 0",
    "local-qp-op, 2, 0",
    "local-prot, 4, 0x51",
    "mw-bind, 6, 0x78",
    "bad-resp, 0x10, 0",
    "local-access, 0x11, 0",
    "remote-inval-req, 0x12, 0x8a",
    "remote-access, 0x13, 0x88",
    "remote-op, 0x14, 0x89",
    "transport-retry-exc, 0x15, 0x81",
    "rnr-retry-exc, 0x16, 0x87",
    "remote-aborted, 0x22, 0",
  })
  void theNthRequestFailsWithItsSyndromeAfterThoseBeforeIt(
      String name, String syndrome, String vendor) {
    Rig rig = open(name + "@3");
    RawMemory memory = rig.memory(64);
    RawQp left = rig.pair().left();
    for (int i = 0; i < 4; i++) {
      left.write(write(memory));
    }
    left.post(write(memory));
    rig.settle();
    List<RawCqe> done = left.sends().poll(5);
    done.get(0).require(CqeOpcode.REQ, 0);
    done.get(1).require(CqeOpcode.REQ, 1);
    done.get(2)
        .requireError(
            Integer.decode(syndrome),
            2,
            "fails because of an injected fault: request 3",
            "fail=" + name + "@3");
    assertThat(done.get(2).vendorSyndrome()).isEqualTo(Integer.decode(vendor));
    done.get(3).requireError(Syndrome.WR_FLUSH_ERR, 3);
    done.get(4).requireError(Syndrome.WR_FLUSH_ERR, 4);
  }

  @Test
  void anInjectedFaultFailsADatagramToo() {
    Rig rig = open("local-prot@1");
    RawMemory memory = rig.memory(64);
    RawQp qp = rig.qp(new RawQpPlan(rig.cq(6)).service(ServiceType.UD.code()));
    qp.connect(0, new Settings());
    qp.post(Wqe.datagram(qp, 1).data(memory, 0, 8));
    rig.settle();
    qp.sends().pollOne().requireError(Syndrome.LOCAL_PROT_ERR, 0, "because of an injected fault");
  }

  @Test
  void aRuleMayNameItsQueuePair() {
    Rig rig = open("remote-access@1:0x41");
    RawMemory memory = rig.memory(64);
    RawPair pair = rig.pair();
    pair.left().post(write(memory));
    rig.settle();
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    pair.right().post(write(memory));
    rig.settle();
    assertThat(pair.right().number()).isEqualTo(0x41);
    pair.right().sends().pollOne().requireError(Syndrome.REMOTE_ACCESS_ERR, 0);
  }

  private int requestsUntilOneFails(String rules) {
    Rig rig = open(rules);
    RawMemory memory = rig.memory(64);
    RawQp left = rig.pair().left();
    for (int i = 0; i < 1000; i++) {
      left.post(write(memory));
      rig.settle();
      if (left.sends().pollOne().isError()) {
        return i;
      }
    }
    throw new AssertionError("no request failed");
  }

  @Test
  void theSameSeedDrawsTheSameFaults() {
    int first = requestsUntilOneFails("remote-op@5%");
    assertThat(requestsUntilOneFails("remote-op@5%")).isEqualTo(first);
  }

  @Test
  void aDoorbellThatIsLostIsMadeUpForByTheNext() {
    Rig rig = open("drop-doorbell@1");
    RawQp left = rig.pair().left();
    left.post(Wqe.nop());
    rig.settle();
    assertThat(left.sends().peek()).isEmpty();
    assertThat(rig.explanation())
        .contains("doorbell 1 of QP 0x40", "lost because of an injected fault");
    left.post(Wqe.nop());
    rig.settle();
    left.sends().poll(2);
  }

  @Test
  void aDoorbellThatIsLostIsNotFoundByALookThatAForeignValueCauses() {
    Rig rig = open("drop-doorbell@1");
    RawQp left = rig.pair().left();
    left.post(Wqe.nop());
    rig.settle();
    left.ring(64L << Integer.SIZE | 0x1000);
    rig.settle();
    assertThat(left.sends().peek()).isEmpty();
    // The next one is covered, and makes up for it all the same.
    left.post(Wqe.nop());
    left.ring(64L << Integer.SIZE | 0x1000);
    rig.settle();
    left.sends().poll(2);
  }

  @Test
  void aDoorbellThatIsHeldBackRingsLater() {
    Rig rig = open("delay-doorbell@1/50");
    RawQp left = rig.pair().left();
    left.post(Wqe.nop());
    rig.settle();
    assertThat(left.sends().peek()).isEmpty();
    assertThat(rig.explanation()).contains("held back for 50 µs because of an injected fault");
    rig.pass(50 * MICRO);
    left.sends().pollOne().require(CqeOpcode.REQ, 0);
  }

  @Test
  void aCompletionThatIsNotWrittenIsMissingAndTheNextTakesItsPlace() {
    Rig rig = open("drop-cqe@2:0x400");
    RawQp left = rig.pair().left();
    rig.subscribe(left.sends().object(), HcaEvent.COMPLETION);
    for (int i = 0; i < 3; i++) {
      left.post(Wqe.nop());
      rig.settle();
    }
    List<RawCqe> done = left.sends().poll(2);
    done.get(0).require(CqeOpcode.REQ, 0);
    done.get(1).require(CqeOpcode.REQ, 2);
    assertThat(rig.explanations())
        .anyMatch(
            line ->
                line.contains(
                    "completion 2 of CQ 0x400 is never written because of an injected fault"));
  }

  @Test
  void aLateCompletionHoldsLaterCompletionsAndItsEvent() {
    Rig rig = open("delay-cqe@1/20:0x400");
    RawQp left = rig.pair().left();
    rig.subscribe(left.sends().object(), HcaEvent.COMPLETION);
    left.sends().arm(0, false);
    left.post(Wqe.nop());
    left.post(Wqe.nop());
    rig.settle();
    assertThat(left.sends().peek()).isEmpty();
    assertThat(rig.takeEvents()).isEmpty();
    rig.pass(20 * MICRO);
    assertThat(rig.takeEvents()).hasSize(1);
    List<RawCqe> done = left.sends().poll(2);
    done.get(0).require(CqeOpcode.REQ, 0);
    done.get(1).require(CqeOpcode.REQ, 1);
    assertThat(rig.explanations()).anyMatch(line -> line.contains("is written 20 µs late"));
  }

  @Test
  void aCompletionQueueIsOverrun() {
    Rig rig = open("overrun@2:0x400");
    RawQp left = rig.pair().left();
    rig.subscribe(left.sends().object(), HcaEvent.CQ_ERROR);
    left.post(Wqe.nop());
    left.post(Wqe.nop());
    rig.settle();
    left.sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(left.sends().peek()).isEmpty();
    assertThat(rig.takeEvents()).extracting(HcaEvent::syndrome).containsExactly(1);
    assertThat(rig.explanations())
        .anyMatch(
            line ->
                line.contains(
                    "completion 2 of CQ 0x400 finds it overrun because of an injected fault"))
        .noneMatch(line -> line.contains("entries are full"));
  }

  @Test
  void aPortThatGoesDownRaisesAnEventAndNothingArrives() {
    Rig rig = open("port-down@2");
    RawMemory memory = rig.memory(64);
    RawPair pair = rig.pair(new Settings().retryCount(1).timeout(3));
    try (HcaEventChannel events = rig.nic().openEventChannel()) {
      events.subscribe(null, HcaEvent.PORT_CHANGE, 5);
      pair.left().post(write(memory));
      rig.settle();
      assertThat(rig.nic().queryPort(1).active()).isTrue();
      pair.left().post(write(memory));
      rig.settle();
      assertThat(events.poll()).isNotNull();
    }
    assertThat(rig.nic().queryPort(1).active()).isFalse();
    rig.pass(4096 << 3);
    rig.pass(4096 << 3);
    List<RawCqe> done = pair.left().sends().poll(2);
    done.get(0).require(CqeOpcode.REQ, 0);
    done.get(1).requireError(Syndrome.TRANSPORT_RETRY_EXC_ERR, 1, "the port is down", "port-down");
    assertThat(rig.explanations()).anyMatch(line -> line.startsWith("the port is down: injected"));
  }

  @ParameterizedTest
  @CsvSource({"ETHERNET, 1 4", "INFINIBAND, 1 5 6 9 4"})
  void aPortThatIsResetComesUpWithTheEventsOfItsLinkLayer(LinkLayer layer, String subTypes) {
    Rig rig =
        Rigs.open(
            options ->
                options
                    .withLinkLayer(layer)
                    .withFaults(FaultOptions.parse("port-reset@2/1000", SEED)));
    rigs.add(rig);
    RawMemory memory = rig.memory(64);
    Settings settings = new Settings().retryCount(7).timeout(10);
    if (layer == LinkLayer.INFINIBAND) {
      settings.way(InfiniBandWay.to(rig.nic().queryPort(1).lid()));
    }
    RawPair pair = rig.pair(settings);
    List<Integer> heard = new ArrayList<>();
    try (HcaEventChannel events = rig.nic().openEventChannel()) {
      events.subscribe(null, HcaEvent.PORT_CHANGE, 5);
      pair.left().post(write(memory));
      pair.left().post(write(memory));
      rig.settle();
      int lid = rig.nic().queryPort(1).lid();
      assertThat(rig.nic().queryPort(1).active()).isFalse();
      rig.pass(1_000_000);
      assertThat(rig.nic().queryPort(1).active()).isTrue();
      assertThat(rig.nic().queryPort(1).lid()).isEqualTo(lid);
      for (HcaEvent event = events.poll(); event != null; event = events.poll()) {
        assertThat(event.number()).isEqualTo(1);
        heard.add(event.syndrome());
      }
    }
    assertThat(heard).hasToString("[" + subTypes.replace(" ", ", ") + "]");
    rig.pass(4096L << 10);
    List<RawCqe> done = pair.left().sends().poll(2);
    done.get(0).require(CqeOpcode.REQ, 0);
    done.get(1).require(CqeOpcode.REQ, 1);
  }

  @Test
  void aPortThatIsResetForAShareOfTheRequestsFlaps() {
    Rig rig = open("port-reset@50%/1000");
    RawMemory memory = rig.memory(64);
    RawPair pair = rig.pair(new Settings().retryCount(7).timeout(10));
    int downs = 0;
    for (int i = 0; i < 16; i++) {
      pair.left().post(write(memory));
      rig.settle();
      downs += rig.nic().queryPort(1).active() ? 0 : 1;
      rig.pass(1_000_000);
      assertThat(rig.nic().queryPort(1).active()).isTrue();
      rig.pass(4096L << 10);
      pair.left().sends().pollOne().require(CqeOpcode.REQ, i);
    }
    assertThat(downs).isBetween(2, 15);
    assertThat(PortCounters.read(rig.nic()::execute, PortCounter.LINK_DOWNED)).isEqualTo(downs);
  }

  @Test
  void aQueuePairGoesToTheErrorStateInTheMiddle() {
    Rig rig = open("qp-error@3");
    RawMemory memory = rig.memory(64);
    RawPair pair = rig.pair();
    try (HcaEventChannel events = rig.nic().openEventChannel()) {
      events.subscribe(pair.left().object(), HcaEvent.WQ_CATASTROPHIC, 5);
      for (int i = 0; i < 3; i++) {
        pair.left().write(write(memory));
      }
      pair.left().post(write(memory));
      rig.settle();
      assertThat(events.poll()).isNotNull();
    }
    List<RawCqe> done = pair.left().sends().poll(4);
    done.get(0).require(CqeOpcode.REQ, 0);
    done.get(1).require(CqeOpcode.REQ, 1);
    done.get(2)
        .requireError(
            Syndrome.WR_FLUSH_ERR,
            2,
            "its queue pair goes to the error state because of an injected fault at request 3",
            "fail=qp-error@3");
    done.get(3).requireError(Syndrome.WR_FLUSH_ERR, 3);
    assertThat(pair.left().query().getInt(Qpc.STATE)).isEqualTo(QpState.ERR);
  }

  @Test
  void aStormOfRnrNaksEndsAndTheMessageArrives() {
    Rig rig = open("rnr@2/2000");
    RawMemory memory = rig.memory(64);
    RawPair pair = rig.pair(new Settings().rnrRetry(7).minRnrTimer(1));
    for (int i = 0; i < 2; i++) {
      pair.right().receive(memory.address(32), 8, memory.key());
      pair.left().post(Wqe.send().data(memory, 0, 8));
      rig.settle();
    }
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(pair.left().sends().peek()).as("the second message").isEmpty();
    assertThat(rig.explanations())
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("because of an injected fault", "answers for 2,000 µs")
                    .contains("from message 2 on (fail=rnr@2/2000)"));
    for (int i = 0; i < 400; i++) {
      rig.pass(10 * MICRO);
    }
    pair.left().sends().pollOne().require(CqeOpcode.REQ, 1);
  }

  @Test
  void aStormThatOutlastsTheRetriesFailsTheMessageAndIsNamed() {
    Rig rig = open("rnr@1/1000000");
    RawMemory memory = rig.memory(64);
    RawPair pair = rig.pair(new Settings().rnrRetry(2).minRnrTimer(1));
    pair.right().receive(memory.address(32), 8, memory.key());
    pair.left().post(Wqe.send().data(memory, 0, 8));
    for (int i = 0; i < 20; i++) {
      rig.pass(10 * MICRO);
    }
    pair.left()
        .sends()
        .pollOne()
        .requireError(
            Syndrome.RNR_RETRY_EXC_ERR, 0, "answers for 1,000,000 µs", "fail=rnr@1/1000000");
  }

  @Test
  void aDeviceThatDiesRaisesAnEventAndCompletesNothing() {
    Rig rig = open("device@2");
    RawMemory memory = rig.memory(64);
    RawPair pair = rig.pair();
    try (HcaEventChannel events = rig.nic().openEventChannel()) {
      events.subscribe(null, HcaEvent.INTERNAL_ERROR, 5);
      pair.left().post(write(memory));
      rig.settle();
      pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
      pair.left().post(write(memory));
      rig.settle();
      assertThat(events.poll()).isNotNull();
    }
    assertThat(pair.left().sends().peek()).isEmpty();
    pair.left().post(new Wqe(WqeOpcode.NOP));
    rig.settle();
    assertThat(pair.left().sends().peek()).isEmpty();
    assertThat(Rig.refused(() -> rig.cq(4)).status()).isEqualTo(CommandStatus.INT_ERR);
    pair.left().object().close();
    assertThat(rig.explanations())
        .anyMatch(line -> line.startsWith("the device is dead: injected"));
  }

  @Test
  void aDoorbellThatNamesNoQueuePairIsNotCounted() {
    Rig rig = open("drop-doorbell@1");
    RawQp left = rig.pair().left();
    left.ring((long) WqeOpcode.NOP << Integer.SIZE | 0x999 << Byte.SIZE);
    rig.settle();
    assertThat(rig.explanation()).contains("names QP 0x999", "which this client does not have");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLateCompletionKeepsItsInlineData(boolean large) {
    Rig rig = open("delay-cqe@2/20");
    RawMemory memory = rig.memory(256).fill(3);
    RawQpPlan plan =
        new RawQpPlan(large ? RawCq.large(rig, 4) : rig.cq(4))
            .change(qpc -> qpc.set(Qpc.CS_RES, large ? Qpc.CS_RES_64 : Qpc.CS_RES_32));
    RawPair pair = RawPair.connect(rig.qp(new RawQpPlan(rig.cq(4))), rig.qp(plan), new Settings());
    RawCq receives = pair.right().receives();
    for (int i = 0; i < 4; i++) {
      pair.right().receive(memory.address(128), 128, memory.key());
      pair.left().post(Wqe.send().data(memory, i, 32));
    }
    rig.settle();
    receives.pollOne().require(CqeOpcode.RESP_SEND, 0);
    rig.pass(20 * MICRO);
    assertThat(receives.peek()).hasSize(3);
    for (int i = 1; i < 4; i++) {
      long at = receives.entry(i) - (large ? 64 : 0);
      byte[] data = new byte[32];
      Memory.copyTo(at, MemorySegment.ofArray(data), 0, data.length);
      assertThat(data).isEqualTo(memory.bytes(i, 32));
    }
    assertThat(receives.poll(3))
        .extracting(RawCqe::wqeCounter, RawCqe::byteCount)
        .containsExactly(tuple(1, 32), tuple(2, 32), tuple(3, 32));
  }

  @Test
  void aRequestedEventDoesNotHastenALateCompletion() {
    Rig rig = open("delay-cqe@1/20:0x400");
    RawQp left = rig.pair().left();
    rig.subscribe(left.sends().object(), HcaEvent.COMPLETION);
    left.sends().arm(0, true);
    left.post(Wqe.nop().control(ControlSegment.CE_ALWAYS_EVENT));
    rig.settle();
    assertThat(left.sends().peek()).isEmpty();
    assertThat(rig.takeEvents()).isEmpty();
    rig.pass(20 * MICRO);
    left.sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(rig.takeEvents()).hasSize(1);
  }

  @Test
  void theEventOfACompletionThatIsNotWrittenDoesNotBecomeThatOfALateOne() {
    Rig rig = open("delay-cqe@1/20:0x400+drop-cqe@2:0x400");
    RawQp left = rig.pair().left();
    rig.subscribe(left.sends().object(), HcaEvent.COMPLETION);
    left.sends().arm(0, true);
    left.post(Wqe.nop());
    left.post(Wqe.nop().control(ControlSegment.CE_ALWAYS_EVENT));
    rig.settle();
    rig.pass(20 * MICRO);
    left.sends().pollOne().require(CqeOpcode.REQ, 0);
    assertThat(rig.takeEvents()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"drop-cqe@100%", "delay-cqe@100%/20"})
  void aResizeEndsTheOldRingDespiteFaults(String rules) {
    Rig rig = open(rules);
    RawQp left = rig.pair().left();
    left.post(Wqe.nop());
    rig.settle();
    left.sends().resize(5);
  }

  @Test
  void noMoreCompletionsAreLateThanTheQueueHolds() {
    Rig rig = open("delay-cqe@100%/1000000");
    RawCq cq = new RawCq(rig, 2, rig.uar(), cqc -> cqc.set(Cqc.OI, true));
    RawQp qp = rig.qp(new RawQpPlan(cq));
    qp.connect(qp.number(), new Settings());
    for (int i = 0; i < 6; i++) {
      qp.post(Wqe.nop());
    }
    rig.settle();
    assertThat(cq.peek()).extracting(RawCqe::wqeCounter).containsExactly(0, 1);
  }

  @Test
  void theFlightRecorderTracesACompletionThatIsNotWritten() {
    Rig rig = open("drop-cqe@1");
    rig.nic().diagnosis().orElseThrow().trace(true);
    RawQp left = rig.pair().left();
    left.post(Wqe.nop());
    rig.settle();
    assertThat(String.join("\n", rig.nic().diagnosis().orElseThrow().flightRecord()))
        .contains("completed WQE 0 REQ\ncqe {\n  opcode=REQ\n");
  }

  @Test
  void theFirstExplanationNamesTheInjectedFaults() {
    assertThat(open("drop-cqe@1%").explanations().getFirst())
        .isEqualTo("faults are injected; to repeat them, open soft:fail=drop-cqe@1%,seed=7");
  }
}
