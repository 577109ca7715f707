package dev.bluebell.softnic.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import dev.bluebell.softnic.transport.FaultyFabric;
import dev.bluebell.softnic.transport.FaultyFabric.Fate;
import dev.bluebell.softnic.wire.GoBackN.Recoveries;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The cost of one lost packet, by its place in the message, on a network where each packet takes
 * half a round trip: the table of docs/recovery.md. The packets are captured, and must obey the
 * rules of go-back-N.
 */
@ResourceLock(TwoDevices.ADDRESSES)
class RecoveryTest {
  /** PSNs wrap in the middle of the message. */
  private static final int PSN = 0xfffffc;

  private static final int PACKETS = 8;
  private static final int MTU = 256;
  private static final int BYTES = PACKETS * MTU;

  /** An eighth of the ACK timeout is a round trip. */
  private static final int TIMEOUT_CODE = 4;

  private static final long HALF_ROUND_TRIP = 4096;

  private static final int MOST_HALVES = 1000;

  @TempDir private Path directory;

  private final Set<Integer> lost = new HashSet<>();
  private int sent;

  /** Place in the capture of the packet to lose; −1 for none. */
  private int victim = -1;

  private Fate fate(boolean isVictim) {
    int place = sent++;
    if (isVictim && victim < 0) {
      victim = place;
      lost.add(place);
      return Fate.LOSE;
    }
    return Fate.HOLD;
  }

  /** Kind of the lost packet. */
  private enum Victim {
    REQUEST,
    RESPONSE,
    NOTHING
  }

  /** The outcome: round trips until the request is complete, and the recoveries in the capture. */
  private record Outcome(double roundTrips, Recoveries recoveries) {}

  private static Wqe request(String operation, RawMemory local, RawMemory remote) {
    return switch (operation) {
      case "WRITE" -> Wqe.write(remote, 0).data(local, 0, BYTES);
      case "SEND" -> new Wqe(WqeOpcode.SEND).data(local, 0, BYTES);
      default -> Wqe.read(remote, 0).data(local, 0, BYTES);
    };
  }

  private Outcome run(String operation, Victim what, int index) {
    Path capture = directory.resolve("run.pcap");
    FaultyFabric[] made = new FaultyFabric[1];
    try (Rig rig =
        Rigs.open(
            options -> options.withCapture(capture),
            (inside, sink) -> made[0] = new FaultyFabric(inside, sink).packetsPerBurst(1))) {
      FaultyFabric link = made[0];
      int psn = PSN + index & 0xffffff;
      link.onRequest(packet -> fate(what == Victim.REQUEST && packet.psn == psn));
      link.onResponse(packet -> fate(what == Victim.RESPONSE && isAt(packet, operation, psn)));
      RawPair pair =
          rig.pair(
              new Settings().mtu(1).timeout(TIMEOUT_CODE).retryCount(7).asksAfter(8).psn(PSN, PSN));
      RawMemory local = rig.memory(BYTES).fill(1);
      RawMemory remote = rig.memory(BYTES).fill(2);
      pair.right().receive(remote.address(0), BYTES, remote.key());
      pair.left().post(request(operation, local, remote));
      rig.settle();
      int halves = 0;
      while (pair.left().sends().peek().isEmpty() && halves < MOST_HALVES) {
        int onTheirWay = link.held();
        rig.pass(HALF_ROUND_TRIP);
        link.release(onTheirWay);
        rig.settle();
        halves++;
      }
      pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
      assertThat(local.bytes()).isEqualTo(remote.bytes());
      // Packets in flight are captured already.
      return new Outcome(halves / 2.0, judge(capture, operation));
    }
  }

  /** The acknowledgement of a message is at its last PSN. */
  private static boolean isAt(Packet response, String operation, int psn) {
    return operation.equals("READ")
        ? BthOpcode.isReadResponse(response.opcode) && response.psn == psn
        : response.psn == (PSN + PACKETS - 1 & 0xffffff);
  }

  private Recoveries judge(Path capture, String operation) {
    return operation.equals("READ")
        ? GoBackN.ofRead(capture, lost, PSN, PACKETS, MTU)
        : GoBackN.ofRequests(capture, lost, PSN, PACKETS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"WRITE", "SEND", "READ"})
  void withoutALossARequestTakesARoundTrip(String operation) {
    assertThat(run(operation, Victim.NOTHING, 0)).isEqualTo(new Outcome(1, new Recoveries(0, 0)));
  }

  /** The rows of docs/recovery.md. */
  @ParameterizedTest(name = "{0}: {1} {2}")
  @CsvSource({
    "WRITE, REQUEST, 0, 2, NAK",
    "WRITE, REQUEST, 3, 2, NAK",
    "WRITE, REQUEST, 7, 9, TIMEOUT",
    "WRITE, RESPONSE, 7, 9, TIMEOUT",
    "SEND, REQUEST, 0, 2, NAK",
    "SEND, REQUEST, 3, 2, NAK",
    "SEND, REQUEST, 7, 9, TIMEOUT",
    "SEND, RESPONSE, 7, 9, TIMEOUT",
    "READ, REQUEST, 0, 9, TIMEOUT",
    "READ, RESPONSE, 0, 2, NAK",
    "READ, RESPONSE, 3, 2, NAK",
    "READ, RESPONSE, 7, 10, TIMEOUT"
  })
  void aLostPacketCosts(
      String operation, Victim what, int index, double roundTrips, String trigger) {
    Outcome outcome = run(operation, what, index);
    assertThat(outcome.recoveries)
        .isEqualTo(trigger.equals("NAK") ? new Recoveries(1, 0) : new Recoveries(0, 1));
    assertThat(outcome.roundTrips).isEqualTo(roundTrips);
  }
}
