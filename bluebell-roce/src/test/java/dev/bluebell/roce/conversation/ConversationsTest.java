package dev.bluebell.roce.conversation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.roce.Captures;
import dev.bluebell.roce.capture.CapturedPacket;
import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.Bth;
import dev.bluebell.roce.packet.CmMad;
import dev.bluebell.roce.packet.Ipv4;
import dev.bluebell.roce.packet.PacketView;
import dev.bluebell.roce.packet.Udp;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The conversations in captures of Soft-RoCE. */
class ConversationsTest {
  private final PacketView view = new PacketView();
  private final Conversations conversations = new Conversations();

  /** The notes on each packet. */
  private List<List<String>> follow(List<CapturedPacket> packets) {
    List<List<String>> notes = new ArrayList<>();
    for (CapturedPacket packet : packets) {
      Captures.wrap(view, packet);
      notes.add(conversations.add(view, notes.size() + 1, packet.nanoseconds()));
    }
    return notes;
  }

  private List<List<String>> follow(String capture) {
    return follow(Captures.packets(capture));
  }

  @Test
  void anExchangeWithoutIncidentsHasNoNotes() {
    assertThat(follow("rc_send_multi")).allMatch(List::isEmpty);
    assertThat(conversations.all()).hasSize(1);
    Conversation only = conversations.all().getFirst();
    assertThat(only.service()).isEqualTo("RC");
    Direction requests = only.directions().getFirst();
    assertThat(requests.messages()).isEqualTo(2);
    assertThat(requests.requestPackets()).isEqualTo(10);
    assertThat(requests.payloadBytes()).isEqualTo(10_000);
    // It wraps.
    assertThat(requests.firstPsn()).isEqualTo(0xfffffd);
    assertThat(requests.lastPsn()).isEqualTo(6);
    assertThat(requests.unacknowledged()).isZero();
    Direction responses = only.directions().getLast();
    assertThat(responses.acks()).isEqualTo(2);
    assertThat(responses.sourceQpn()).isEqualTo(requests.destinationQpn());
    assertThat(responses.destinationQpn()).isEqualTo(requests.sourceQpn());
  }

  /** A packet whose payload is longer than any path MTU, and whose ICRC is wrong. */
  private static CapturedPacket tooLong() {
    CapturedPacket packet = Captures.packets("rc_send_multi").getFirst();
    ByteBuffer bytes = ByteBuffer.allocate(6000).put(0, packet.bytes(), 0, 54);
    Ipv4.TOTAL_LENGTH.put(bytes, 14, 6000 - 14);
    Udp.LENGTH.put(bytes, 34, 6000 - 34);
    return new CapturedPacket(0, 0, bytes, 6000, List.of());
  }

  @Test
  void aPacketLongerThanAnyIsNoRunIfItsIcrcIsCorrect() {
    CapturedPacket packet = tooLong();
    Captures.wrap(view, packet);
    view.seal();
    assertThat(follow(List.of(packet)).getFirst())
        .containsExactly("its payload is longer than the largest path MTU, 4096 bytes");
  }

  @Test
  void aPacketLongerThanAnyIsSaidToBePerhapsARun() {
    assertThat(follow(List.of(tooLong())).getFirst())
        .containsExactly(
            "its payload is longer than the largest path MTU, 4096 bytes: perhaps it is a run of"
                + " packets that was captured before the kernel cut it; capture at the receiver,"
                + " or with the device's option pcap=");
  }

  @Test
  void aDirectionWithOnePacketNamesItAlone() {
    List<List<String>> unused = follow(Captures.packets("rc_send_multi").subList(0, 1));
    assertThat(conversations.all().getFirst().directions().getFirst().line())
        .contains(" (packet 1): ");
  }

  @Test
  void aReadTakesThePsnsOfItsResponses() {
    assertThat(follow("rc_read_multi")).allMatch(List::isEmpty);
    List<Direction> directions = conversations.all().getFirst().directions();
    assertThat(directions.getFirst().messages()).isEqualTo(2);
    assertThat(directions.getFirst().lastPsn() - directions.getFirst().firstPsn()).isEqualTo(9);
    assertThat(directions.getLast().readResponses()).isEqualTo(10);
  }

  @Test
  void anRnrNakIsNamedWithItsTime() {
    List<List<String>> notes = follow("rc_rnr_exhaust");
    assertThat(notes.get(1))
        .containsExactly(
            "RNR NAK: no receive was posted for packet 1 (RC_SEND_ONLY, PSN 0x001000); the"
                + " requester waits 320 µs at least");
    assertThat(notes.get(2).getFirst()).startsWith("retransmission of packet 1, ");
    Direction responses = conversations.all().getFirst().directions().getLast();
    assertThat(responses.rnrNaks()).containsExactly(Map.entry(320, 3L));
  }

  @Test
  void aRefusedAccessIsNamedWithItsHeader() {
    List<List<String>> notes = follow("rc_nak_rem_access_bounds");
    assertThat(notes.getLast().getFirst())
        .startsWith("NAK: remote access error of packet 1 (RC_WRITE_FIRST, PSN 0x001000): RETH va=")
        .contains(" dmalen=3000 of packet 1 is refused");
  }

  @Test
  void aKeyThatWasGoodBeforeIsNotTheReason() {
    List<CapturedPacket> packets = new ArrayList<>(Captures.packets("rc_write_multi"));
    // The second message and its answer once more, with the PSNs behind it, and refused.
    List<CapturedPacket> again = new ArrayList<>(packets.subList(5, 10));
    again.add(packets.getLast());
    for (CapturedPacket packet : again) {
      Captures.wrap(view, packet);
      ByteBuffer bytes = ByteBuffer.wrap(Captures.bytes(packet));
      CapturedPacket moved =
          new CapturedPacket(0, packet.nanoseconds(), bytes, bytes.limit(), List.of());
      Captures.wrap(view, moved);
      int aeth = view.at(Aeth.HEADER);
      Bth.PSN.put(bytes, view.at(Bth.HEADER), view.psn() + (aeth < 0 ? 5 : 1));
      if (aeth >= 0) {
        Aeth.SYNDROME.put(bytes, aeth, Aeth.REMOTE_ACCESS_NAK);
      }
      view.seal();
      packets.add(moved);
    }
    assertThat(follow(packets).getLast().getFirst())
        .contains("rkey was good in packet 1, so the range or the right is wrong");
  }

  @Test
  void anAtomicThatIsNotAlignedIsNamed() {
    List<String> notes =
        follow("python_peer_l2_rootless_extra_uml").stream().flatMap(List::stream).toList();
    assertThat(notes)
        .anyMatch(
            note -> note.matches("NAK: invalid request.*AtomicETH va=0x.* is not a multiple of 8"))
        .anyMatch(note -> note.contains("without a first packet before it"));
  }

  @Test
  void retransmissionsAndDuplicatesAreToldApart() {
    follow("rc_retry_exceeded");
    Direction retried = conversations.all().getFirst().directions().getFirst();
    assertThat(retried.retransmissions()).isEqualTo(3);
    assertThat(retried.duplicates()).isZero();
    assertThat(retried.unacknowledged()).isEqualTo(1);
    assertThat(retried.sourceQpn()).isEqualTo(-1);
  }

  @Test
  void requestsThatWereAnsweredBeforeAreDuplicates() {
    List<List<String>> notes = follow("rc_loss_resp_read");
    List<Direction> directions = conversations.all().getFirst().directions();
    assertThat(directions.getFirst().retransmissions()).isEqualTo(29);
    assertThat(directions.getFirst().duplicates()).isEqualTo(29);
    assertThat(directions.getLast().readResponses()).isEqualTo(78);
    assertThat(directions.getLast().repeatedResponses()).isEqualTo(62);
    assertThat(notes.get(16))
        .containsExactly(
            "retransmission of a READ from its middle, PSN 0x001001; a duplicate: the responder has"
                + " acknowledged it before");
  }

  @Test
  void requestsThatWereLostAreMissing() {
    List<List<String>> notes = follow("rc_loss_req_single");
    assertThat(notes.get(1)).containsExactly("gap: PSN 0x001002 is not in the capture before it");
    Direction requests = conversations.all().getFirst().directions().getFirst();
    assertThat(requests.missing()).isEqualTo(5);
    assertThat(requests.retransmissions()).isEqualTo(57);
    assertThat(conversations.all().getFirst().directions().getLast().naks())
        .containsExactly(Map.entry("NAK: PSN sequence error", 8L));
  }

  @Test
  void aPeerMayUseOneNumberForSeveralQueuePairs() {
    follow("python_peer_v4");
    // Its packets go to 0x22 to 0x28, and all that comes back goes to one number.
    assertThat(
            conversations.all().stream()
                .flatMap(conversation -> conversation.directions().stream())
                .filter(direction -> direction.requestPackets() > 0))
        .hasSizeGreaterThan(1)
        .allMatch(direction -> direction.unacknowledged() == 0);
  }

  @Test
  void theConnectionManagerSaysWhichQueuePairsBelongTogether() {
    // Before the first response.
    List<CapturedPacket> packets = Captures.packets("rping").subList(0, 4);
    follow(packets);
    Direction request = conversations.all().getLast().directions().getFirst();
    assertThat(request.sourceQpn()).isEqualTo(0x14);
    assertThat(request.destinationQpn()).isEqualTo(0x1b);
  }

  @Test
  void aRequestOfAnotherHostWithTheSameIdIsAnotherConnection() {
    List<CapturedPacket> packets = new ArrayList<>(Captures.packets("rping").subList(0, 4));
    ByteBuffer other = ByteBuffer.wrap(Captures.bytes(packets.getFirst()));
    CapturedPacket ofOther = new CapturedPacket(0, 0, other, other.limit(), List.of());
    Captures.wrap(view, ofOther);
    assertThat(CmMad.Message.REQ.is(other, view.payloadAt())).isTrue();
    Ipv4.SRC.put(other, view.at(Ipv4.HEADER), 0x0a00_0063);
    CmMad.Req.QPN.put(other, view.payloadAt() + CmMad.BODY, 0x99);
    view.seal();
    packets.add(1, ofOther);
    follow(packets);
    assertThat(conversations.all().getLast().directions().getFirst().sourceQpn()).isEqualTo(0x14);
  }

  @Test
  void aPacketWithAWrongIcrcIsCountedOnlyAsSuch() {
    List<List<String>> notes = follow("python_peer_v4");
    assertThat(notes.getLast().getFirst()).startsWith("ICRC wrong: it is ");
    Direction last = conversations.all().getLast().directions().getFirst();
    assertThat(last.badIcrc()).isEqualTo(1);
    assertThat(last.requestPackets()).isZero();
  }

  @Test
  void aMarkOfASwitchAndANotificationAreNamed() {
    CapturedPacket packet = Captures.packets("rc_send_single").getFirst();
    ByteBuffer bytes = ByteBuffer.wrap(Captures.bytes(packet));
    Captures.wrap(view, packet);
    Ipv4.TOS.put(bytes, view.at(Ipv4.HEADER), 3);
    CapturedPacket marked = new CapturedPacket(0, 0, bytes, bytes.limit(), List.of());
    assertThat(follow(List.of(marked)).getFirst())
        .containsExactly("congestion experienced: a switch marked it");
  }
}
