package dev.bluebell.softnic.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaHappening;
import dev.bluebell.hca.HcaObserver.Subject;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.Recorded;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Wqe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The flight recorder and the explanations: which entries they keep, and how many. */
class FlightRecorderTest {
  private static final String LOST =
      "20 ns  older entries are lost, because the flight record has room for 16; the device option"
          + " recorder=256 keeps more";

  private final DeviceTime time = new DeviceTime();

  private static List<String> lines(List<HcaHappening> happenings) {
    return happenings.stream().map(HcaHappening::toString).toList();
  }

  @Test
  void theLatestEntriesAreKeptOldestFirst() {
    FlightRecorder recorder = new FlightRecorder(time, 4);
    for (int i = 0; i < 11; i++) {
      time.set(1000L * i);
      recorder.record(HcaHappening.DOORBELL, 0xabcdef, i, 0);
    }
    assertThat(lines(Recorded.by(recorder).happenings()))
        .containsExactly(
            "7,000 ns  older entries are lost, because the flight record has room for 4; the device"
                + " option recorder=64 keeps more",
            "7,000 ns  QP 0xabcdef doorbell, producer index 7",
            "8,000 ns  QP 0xabcdef doorbell, producer index 8",
            "9,000 ns  QP 0xabcdef doorbell, producer index 9",
            "10,000 ns  QP 0xabcdef doorbell, producer index 10");
  }

  @Test
  void connectionsAreKeptLongerAndListedAtTheirTime() {
    FlightRecorder recorder = new FlightRecorder(time, 4);
    for (int i = 0; i < 4; i++) {
      time.set(1000L * i);
      recorder.record(HcaHappening.STATE, 0x40, 0, i);
      recorder.recordConnection(this, 0x40 + i, true, 0x50, "RC");
    }
    assertThat(Recorded.by(recorder).happenings())
        .extracting(HcaHappening::nanos)
        .containsExactly(0L, 0L, 1000L, 1000L, 2000L, 2000L, 3000L, 3000L);
  }

  @Test
  void aTextIsOverwrittenWithItsEntry() {
    FlightRecorder recorder = new FlightRecorder(time, 2);
    recorder.record(HcaHappening.FAILED, 1, 2, 0, "the WQE");
    assertThat(lines(Recorded.by(recorder).happenings()).getFirst()).endsWith("\nthe WQE");
    recorder.record(HcaHappening.STATE, 1, 0, 6);
    recorder.record(HcaHappening.STATE, 1, 0, 0);
    assertThat(lines(Recorded.by(recorder).happenings()))
        .noneMatch(line -> line.contains("the WQE"));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 100, -4})
  void aSizeThatIsNotAPowerOfTwoIsRefused(int entries) {
    assertThatIllegalArgumentException().isThrownBy(() -> new FlightRecorder(time, entries));
  }

  @Test
  void everyKindOfHappeningIsDescribed() {
    FlightRecorder recorder = new FlightRecorder(time, 32);
    for (int kind = 1; kind <= 20; kind++) {
      recorder.record(kind, 0x40, 7, 3);
    }
    List<String> lines = lines(Recorded.by(recorder).happenings());
    assertThat(lines.subList(0, 19)).allMatch(line -> line.matches("0 ns  [A-Za-z].*"));
    assertThat(lines.get(19)).contains("0x14 0x40 7 3");
  }

  @Test
  void everyStateHasAName() {
    assertThat(List.of(0, 1, 2, 3, 4, 5, 6, 9))
        .extracting(QpState::name)
        .containsExactly("RST", "INIT", "RTR", "RTS", "SQER", "SQD", "ERR", "state 9");
  }

  @Test
  void aTraceHoldsWholeWqesAndCqes() {
    try (Rig rig = Rigs.open()) {
      RawPair pair = rig.pair();
      RawMemory memory = rig.memory(64);
      HcaDiagnosis diagnosis = rig.nic().diagnosis().orElseThrow();
      pair.left().post(Wqe.write(memory, 0).data(memory, 8, 8));
      rig.settle();
      assertThat(diagnosis.flightRecord()).noneMatch(line -> line.contains("\n"));
      diagnosis.trace(true);
      pair.left().post(Wqe.write(memory, 0).data(memory, 8, 8));
      rig.settle();
      assertThat(diagnosis.flightRecord())
          .anyMatch(line -> line.contains("fetched WQE 1 RDMA_WRITE\nwqe {"))
          .anyMatch(line -> line.contains("completed WQE 1 REQ\ncqe {"));
      diagnosis.trace(false);
      pair.left().post(Wqe.write(memory, 0).data(memory, 8, 8));
      rig.settle();
      assertThat(diagnosis.flightRecord())
          .noneMatch(line -> line.contains("WQE 2 ") && line.contains("\n"));
    }
  }

  @Test
  void aTracedResponderRecordsTheRequestsOfAnUntracedPeer() {
    try (Rig rig = Rigs.open()) {
      RawPair pair = rig.pair();
      RawMemory memory = rig.memory(64);
      rig.nic().hosting().orElseThrow().trace(pair.right().number(), true);
      pair.left().post(Wqe.write(memory, 0).data(memory, 8, 8));
      rig.settle();
      assertThat(rig.nic().diagnosis().orElseThrow().happenings())
          .filteredOn(happening -> happening.kind() == HcaHappening.DELIVERED)
          .extracting(HcaHappening::description)
          .containsExactly("QP 0x41 executed WQE 0 of QP 0x40");
    }
  }

  @Test
  void aTracedRequestIsRecordedByItsResponder() {
    try (Rig rig = Rigs.open()) {
      RawPair pair = rig.pair();
      RawMemory memory = rig.memory(64);
      HcaDiagnosis diagnosis = rig.nic().diagnosis().orElseThrow();
      pair.left().post(Wqe.write(memory, 0).data(memory, 8, 8));
      rig.settle();
      assertThat(diagnosis.happenings())
          .noneMatch(happening -> happening.kind() == HcaHappening.DELIVERED);
      diagnosis.trace(true);
      pair.left().post(Wqe.write(memory, 0).data(memory, 8, 8));
      pair.left().post(Wqe.read(memory, 0).data(memory, 8, 8));
      pair.left().post(Wqe.nop());
      pair.left().post(Wqe.fetchAndAdd(memory, 0, 1).data(memory, 8, 8));
      rig.settle();
      assertThat(diagnosis.happenings())
          .filteredOn(happening -> happening.kind() == HcaHappening.DELIVERED)
          .extracting(HcaHappening::description)
          .containsExactly(
              "QP 0x41 executed WQE 1 of QP 0x40",
              "QP 0x41 executed WQE 2 of QP 0x40",
              "QP 0x41 executed WQE 4 of QP 0x40");
    }
  }

  @Test
  void anErrorIsFollowedByItsExplanationAndAFlushIsNotExplained() {
    try (Rig rig = Rigs.open()) {
      RawPair pair = rig.pair();
      RawMemory memory = rig.memory(64);
      pair.left().post(Wqe.write(memory, 0).data(memory.address(8), 8, memory.key() + 1));
      pair.left().post(Wqe.nop());
      rig.settle();
      List<HcaHappening> record = rig.nic().diagnosis().orElseThrow().happenings();
      assertThat(record)
          .filteredOn(
              happening ->
                  happening.kind() == HcaHappening.COMPLETED
                      || happening.kind() == HcaHappening.EXPLAINED)
          .extracting(happening -> happening.name() + " " + happening.index())
          .containsExactly("completed 0", "explained 0", "completed 1");
      assertThat(record)
          .filteredOn(happening -> happening.kind() == HcaHappening.EXPLAINED)
          .allMatch(happening -> String.valueOf(happening.text()).contains("lkey"));
    }
  }

  @Test
  void aQueuePairThatFailsIsRecordedWithTheReason() {
    try (Rig rig = Rigs.open()) {
      RawPair pair = rig.pair();
      RawMemory memory = rig.memory(64);
      pair.left()
          .post(
              new Wqe(WqeOpcode.RDMA_WRITE)
                  .remote(memory.address(0), memory.key() + 1)
                  .inline(new byte[8]));
      rig.settle();
      assertThat(rig.nic().diagnosis().orElseThrow().happenings())
          .filteredOn(
              happening ->
                  happening.kind() == HcaHappening.STATE && happening.detail() == QpState.ERR)
          .hasSize(2)
          .allMatch(
              happening ->
                  String.valueOf(happening.text()).contains("QP 0x41 refused the request at PSN"));
    }
  }

  @Test
  void onlyTheLatestExplanationsAreKept() {
    Explanations explanations = new Explanations();
    for (int i = 0; i < 5000; i++) {
      explanations.add("general " + i);
      explanations.add(this, 1, i, "of completion " + i);
    }
    assertThat(explanations.all()).hasSize(1024).last().isEqualTo("of completion 4999");
    assertThat(explanations.find(1, 4999)).contains("of completion 4999");
    assertThat(explanations.find(1, 0)).isEmpty();
    assertThat(explanations.find(2, 4999)).isEmpty();
  }

  @Test
  void aNoisyClientDoesNotDisplaceTheExplanationsOfOthers() {
    Explanations explanations = new Explanations();
    explanations.add("quiet", 1, 0, "of the quiet one");
    for (int i = 0; i < 5000; i++) {
      explanations.add("noisy", 2, i, "of the noisy one");
    }
    assertThat(explanations.find(1, 0)).contains("of the quiet one");
    assertThat(explanations.find(2, 4999)).contains("of the noisy one");
    assertThat(explanations.find(2, 4999 - 1023)).as("1024 explanations in all").isEmpty();
    assertThat(explanations.find(2, 4999 - 1022)).isPresent();
  }

  @Test
  void explanationsOfManyClientsAreBoundedToo() {
    Explanations explanations = new Explanations();
    for (int i = 0; i < 3000; i++) {
      explanations.add(new Object(), i, 0, "once");
    }
    assertThat(IntStream.range(0, 3000).filter(i -> explanations.find(i, 0).isPresent()))
        .hasSize(1024);
  }

  @Test
  void aFailureOutlivesTheEntriesOfOtherClients() {
    FlightRecorder recorder = new FlightRecorder(time, 16);
    time.set(10);
    recorder.recordFailure("quiet", HcaHappening.FAILED, 0x40, 7, 0, "its WQE");
    recorder.recordFailure("quiet", HcaHappening.COMPLETED, 0x40, 7, 0xd13, null);
    time.set(20);
    for (int i = 0; i < 2000; i++) {
      recorder.recordFailure("noisy", HcaHappening.FAILED, 0x41, i, 0, null);
      recorder.record(HcaHappening.DOORBELL, 0x42, i, 0);
    }
    assertThat(lines(Recorded.by(recorder).happenings((subject, number, nanos) -> number == 0x40)))
        .containsExactly(
            "10 ns  QP 0x40 failed at WQE 7\nits WQE",
            "10 ns  QP 0x40 completed WQE 7 REQ_ERR REMOTE_ACCESS_ERR",
            LOST);
    assertThat(lines(Recorded.by(recorder).happenings((subject, number, nanos) -> number == 0x41)))
        .hasSize(510 + 1)
        .contains(LOST);
    assertThat(lines(Recorded.by(recorder).happenings()))
        .as("8 of these entries are in the ring")
        .hasSize(512 - 8 + 1 + 16);
  }

  @Test
  void aConnectionOutlivesLaterEntries() {
    FlightRecorder recorder = new FlightRecorder(time, 4);
    time.set(10);
    recorder.recordConnection("client", 0x40, true, 0x41, "RC of the same device");
    time.set(20);
    for (int i = 0; i < 100; i++) {
      recorder.record(HcaHappening.DOORBELL, 0x40, i, 0);
    }
    assertThat(Recorded.by(recorder).happenings())
        .hasSize(1 + 1 + 4)
        .first()
        .isEqualTo(
            new HcaHappening(10, HcaHappening.CONNECTED, 0x40, 1, 0x41, "RC of the same device"));
  }

  @Test
  void aQueuePairIsRecordedWithThePeerThatItIsConnectedTo() {
    try (Rig rig = Rigs.open()) {
      RawPair unused = rig.pair();
      assertThat(rig.nic().diagnosis().orElseThrow().flightRecord())
          .filteredOn(line -> line.contains("is connected to"))
          .hasSize(2)
          .first()
          .asString()
          .matches(
              "0 ns  QP 0x40 is connected to QP 0x41, RC (\\p{XDigit}{4}:){7}\\p{XDigit}{4}"
                  + " cq=0x\\p{XDigit}+ recv_cq=0x\\p{XDigit}+");
    }
  }

  @Test
  void aFilterTakesEntriesOfObjectsAtTimes() {
    FlightRecorder recorder = new FlightRecorder(time, 16);
    time.set(10);
    recorder.record(HcaHappening.DOORBELL, 0x40, 1, 0);
    recorder.record(HcaHappening.DOORBELL, 0x41, 2, 0);
    recorder.record(HcaHappening.EVENT, 0x40, 0, HcaEvent.COMPLETION);
    recorder.record(HcaHappening.EVENT, 0x40, 0, HcaEvent.WQ_ACCESS_ERROR);
    recorder.record(HcaHappening.COMMAND, 0x40, 0, 0);
    time.set(20);
    recorder.record(HcaHappening.DOORBELL, 0x40, 3, 0);
    assertThat(
            lines(
                Recorded.by(recorder)
                    .happenings(
                        (subject, number, nanos) ->
                            subject == Subject.QUEUE_PAIR && number == 0x40 && nanos < 20)))
        .containsExactly(
            "10 ns  QP 0x40 doorbell, producer index 1", "10 ns  event WQ_ACCESS_ERROR of 0x40");
    assertThat(
            lines(
                Recorded.by(recorder)
                    .happenings((subject, number, nanos) -> subject == Subject.COMPLETION_QUEUE)))
        .containsExactly("10 ns  event COMPLETION of 0x40");
  }

  @Test
  void aCopyIsMadeInPiecesAndLeavesOutWhatWasWrittenOver() {
    FlightRecorder recorder = new FlightRecorder(time, 4096);
    for (int i = 0; i < 4096; i++) {
      recorder.record(HcaHappening.DOORBELL, i, 0, 0);
    }
    FlightCopy copy = recorder.begin();
    assertThat(recorder.copy(copy)).isTrue();
    for (int i = 0; i < 2048; i++) {
      recorder.record(HcaHappening.DOORBELL, 0xffffff, 0, 0);
    }
    assertThat(recorder.copy(copy)).isTrue();
    assertThat(recorder.copy(copy)).isFalse();
    assertThat(lines(copy.happenings()))
        .hasSize(1 + 3 * 1024)
        .startsWith(
            "0 ns  older entries are lost, because the flight record has room for 4,096; the device"
                + " option recorder=65536 keeps more",
            "0 ns  QP 0x0 doorbell, producer index 0")
        .contains("0 ns  QP 0x3ff doorbell, producer index 0")
        .doesNotContain("0 ns  QP 0x400 doorbell, producer index 0")
        .contains("0 ns  QP 0x800 doorbell, producer index 0")
        .endsWith("0 ns  QP 0xfff doorbell, producer index 0");
  }

  @Test
  void filteringTheRecordDoesNotHoldUpTheDevice() {
    try (Rig rig = Rigs.open()) {
      RawPair pair = rig.pair();
      pair.left().post(Wqe.nop());
      List<HcaHappening> record =
          rig.nic()
              .hosting()
              .orElseThrow()
              .happenings(
                  (subject, number, nanos) -> {
                    Thread device = Thread.ofPlatform().daemon().start(rig.nic()::settle);
                    assertThat(ends(device)).as("the device goes on").isTrue();
                    return true;
                  });
      assertThat(record).isNotEmpty();
      assertThat(pair.left().sends().peek()).as("completion while the filter ran").isNotEmpty();
    }
  }

  private static boolean ends(Thread thread) {
    try {
      return thread.join(Duration.ofSeconds(60));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void anObserverReceivesTheObjectOfAnExplanation() {
    List<String> heard = new ArrayList<>();
    try (Rig rig = Rigs.open()) {
      RawPair pair = rig.pair();
      rig.nic()
          .hosting()
          .orElseThrow()
          .observe((subject, number, why) -> heard.add(subject + " " + number + " " + why));
      RawMemory memory = rig.memory(64);
      pair.left().post(Wqe.write(memory, 0).data(memory.address(8), 8, memory.key() + 1));
      rig.settle();
    }
    assertThat(heard).singleElement().asString().startsWith("COMPLETION_QUEUE ").contains("lkey");
  }
}
