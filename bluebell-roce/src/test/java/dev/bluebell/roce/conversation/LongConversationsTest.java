package dev.bluebell.roce.conversation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.roce.packet.Bth;
import dev.bluebell.roce.packet.CmMad;
import dev.bluebell.roce.packet.LinkType;
import dev.bluebell.roce.packet.Packet;
import dev.bluebell.roce.packet.PacketView;
import dev.bluebell.roce.packet.Problem;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Conversations that use the same queue pairs again, or all PSNs. */
class LongConversationsTest {
  private static final String LEFT = "10.0.0.1";
  private static final String RIGHT = "10.0.0.2";
  private static final int LEFT_QP = 0x22;
  private static final int RIGHT_QP = 0x11;
  private static final String RETH = "  reth va=0x1000 rkey=0x5 dmalen=%d\n";
  private static final String AETH = "  aeth syndrome=0x1f msn=0\n";

  private final ByteBuffer write = requests("RC_WRITE_ONLY", RETH.formatted(4));
  private final ByteBuffer ack = responses("RC_ACKNOWLEDGE", AETH);
  private final PacketView view = new PacketView();
  private final Conversations conversations = new Conversations();
  private long frame;

  private static ByteBuffer requests(String opcode, String header) {
    return roce(LEFT, RIGHT, RIGHT_QP, opcode, header, "00000000");
  }

  private static ByteBuffer responses(String opcode, String header) {
    return roce(RIGHT, LEFT, LEFT_QP, opcode, header, "");
  }

  private static ByteBuffer roce(
      String source, String destination, int qpn, String opcode, String header, String payload) {
    boolean hasPayload = !payload.isEmpty() && !opcode.endsWith("READ_REQUEST");
    return ByteBuffer.wrap(
        Packet.parse(
                """
                packet {
                  ipv4 version=4 ihl=5 len=0 ttl=64 protocol=17 src=%s dst=%s
                  udp src=49152 dst=4791 len=0
                  bth opcode=%s destqp=0x%x
                %s%s  icrc 00000000
                }
                """
                    .formatted(
                        source,
                        destination,
                        opcode,
                        qpn,
                        header,
                        hasPayload ? "  payload " + payload + "\n" : ""))
            .bytes());
  }

  /** Adds a packet with this PSN. */
  private List<String> add(ByteBuffer packet, int psn) {
    packet.putShort(2, (short) packet.limit()).putShort(24, (short) (packet.limit() - 20));
    Bth.PSN.put(packet, 28, psn);
    assertThat(view.wrap(packet, 0, packet.limit(), packet.limit(), LinkType.IPV4))
        .isEqualTo(Problem.NONE);
    view.seal();
    return conversations.add(view, ++frame, frame * 1000);
  }

  /** Adds answered writes. */
  private List<String> write(int psn, int number) {
    List<String> notes = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      notes.addAll(add(write, psn + i & 0xffffff));
      notes.addAll(add(ack, psn + i & 0xffffff));
    }
    return notes;
  }

  private List<String> lines() {
    return conversations.all().stream().flatMap(each -> each.lines().stream()).toList();
  }

  @Test
  void aFlowMayUseAllPsnsSeveralTimes() {
    int psns = 1 << 20;
    ByteBuffer read = requests("RC_READ_REQUEST", RETH.formatted(psns << 10));
    ByteBuffer start = responses("RC_READ_RESPONSE_FIRST", AETH);
    ByteBuffer end = responses("RC_READ_RESPONSE_LAST", AETH);
    for (int i = 0; i < 40; i++) {
      int psn = i * psns & 0xffffff;
      assertThat(add(read, psn)).isEmpty();
      assertThat(add(start, psn)).isEmpty();
      assertThat(add(end, psn + psns - 1)).isEmpty();
    }
    Direction requests = conversations.all().getFirst().directions().getFirst();
    assertThat(requests.messages()).isEqualTo(40);
    assertThat(requests.unacknowledged()).isZero();
    assertThat(lines()).hasSize(3);
    assertThat(add(read, 39 * psns & 0xffffff).getFirst())
        .startsWith("retransmission of packet 118, ")
        .endsWith("a duplicate: the responder has acknowledged it before");
  }

  @Test
  void aRequestBehindAReadThatWasNotAnsweredIsNoGapUpToTheLengthOfTheRead() {
    assertThat(add(requests("RC_READ_REQUEST", RETH.formatted(1024)), 10)).isEmpty();
    assertThat(add(write, 14)).isEmpty();
    assertThat(add(write, 17))
        .containsExactly("gap: PSN 0x00000f to 0x000010 are not in the capture before it");
  }

  @Test
  void aRequestBehindAnAnsweredReadMayBeBehindAGap() {
    assertThat(add(requests("RC_READ_REQUEST", RETH.formatted(1024)), 10)).isEmpty();
    assertThat(add(responses("RC_READ_RESPONSE_ONLY", AETH), 10)).isEmpty();
    assertThat(add(write, 12)).containsExactly("gap: PSN 0x00000b is not in the capture before it");
  }

  @Test
  void anotherConnectionOfTheSameQueuePairsIsAnotherConversation() {
    assertThat(write(0x8a8c2c, 3)).isEmpty();
    String anew =
        " is far from the expected 0x%06x: a new connection with the same queue pair"
            + " number, or more than 65536 packets are missing";
    assertThat(write(0x774ee5, 2)).containsExactly("PSN 0x774ee5" + anew.formatted(0x8a8c2f));
    assertThat(write(0xa7dcef, 1)).containsExactly("PSN 0xa7dcef" + anew.formatted(0x774ee7));
    assertThat(lines())
        .containsExactly(
            "RC 10.0.0.1 QP 0x22 and 10.0.0.2 QP 0x11",
            "  10.0.0.1 QP 0x22 (packets 1–5): 3 messages, PSN 0x8a8c2c to 0x8a8c2e, in 3"
                + " packets, 12 bytes",
            "  10.0.0.2 QP 0x11 (packets 2–6): 3 ACKs",
            "RC 10.0.0.1 QP 0x22 and 10.0.0.2 QP 0x11",
            "  10.0.0.1 QP 0x22 (packets 7–9): 2 messages, PSN 0x774ee5 to 0x774ee6, in 2"
                + " packets, 8 bytes",
            "  10.0.0.2 QP 0x11 (packets 8–10): 2 ACKs",
            "RC 10.0.0.1 QP 0x22 and 10.0.0.2 QP 0x11",
            "  10.0.0.1 QP 0x22 (packet 11): 1 message, PSN 0xa7dcef to 0xa7dcef, in 1 packet,"
                + " 4 bytes",
            "  10.0.0.2 QP 0x11 (packet 12): 1 ACK");
  }

  @Test
  void aLaterPacketOfAMessageIsBehindAGapHoweverLarge() {
    assertThat(write(0, 1)).isEmpty();
    assertThat(add(requests("RC_WRITE_MIDDLE", ""), 0x100000))
        .containsExactly("gap: PSN 0x000001 to 0x0fffff are not in the capture before it");
  }

  @Test
  void theConnectionManagerBeginsAConversationAlsoAtThePsnOfTheFormer() {
    connect(1, 100);
    assertThat(write(100, 2)).isEmpty();
    // Repeated by a connection manager that did not receive the answer in time.
    connect(1, 100);
    assertThat(write(102, 1)).isEmpty();
    connect(2, 100);
    assertThat(write(100, 2)).isEmpty();
    assertThat(lines().stream().filter(line -> line.startsWith("RC ")))
        .hasSize(2)
        .containsOnly("RC 10.0.0.1 QP 0x22 and 10.0.0.2 QP 0x11");
  }

  /** Adds a REQ of the left and a REP of the right. */
  private void connect(int id, int psn) {
    for (CmMad.Message message : List.of(CmMad.Message.REQ, CmMad.Message.REP)) {
      boolean isRequest = message == CmMad.Message.REQ;
      byte[] mad = new byte[CmMad.BYTES];
      ByteBuffer buffer = ByteBuffer.wrap(mad);
      message.begin(buffer, 0, id);
      CmMad.Ids.LOCAL.put(buffer, CmMad.BODY, id);
      if (isRequest) {
        CmMad.Req.QPN.put(buffer, CmMad.BODY, LEFT_QP);
        CmMad.Req.STARTING_PSN.put(buffer, CmMad.BODY, psn);
      } else {
        CmMad.Ids.REMOTE.put(buffer, CmMad.BODY, id);
        CmMad.Rep.QPN.put(buffer, CmMad.BODY, RIGHT_QP);
        CmMad.Rep.STARTING_PSN.put(buffer, CmMad.BODY, psn);
      }
      ByteBuffer packet =
          roce(
              isRequest ? LEFT : RIGHT,
              isRequest ? RIGHT : LEFT,
              CmMad.QPN,
              "UD_SEND_ONLY",
              "  deth qkey=0x%x srcqp=0x1\n".formatted(CmMad.QUEUE_KEY),
              HexFormat.of().formatHex(mad));
      assertThat(add(packet, 0)).isEmpty();
    }
  }

  @Test
  void onlyTheLatestPacketsAreRemembered() {
    assertThat(write(0, 1)).isEmpty();
    assertThat(write(1, Conversations.MOST_PACKETS / 2 - 1)).isEmpty();
    int last = Conversations.MOST_PACKETS / 2 - 1;
    assertThat(add(write, last - 5).getFirst()).startsWith("retransmission of packet ");
    assertThat(write(last + 1, 1)).isEmpty();
    assertThat(add(write, 1).getFirst()).startsWith("PSN 0x000001 is far from the expected ");
  }

  @Test
  @Tag("slow")
  void packetsOfMoreFlowsThanAreFollowedAreCounted() {
    for (int i = 0; i < Conversations.MOST_FLOWS + 3; i++) {
      Bth.DEST_QP.put(write, 28, 2 + i);
      assertThat(add(write, 0)).isEmpty();
    }
    assertThat(conversations.unfollowed()).isEqualTo(3);
    assertThat(conversations.all()).hasSize(Conversations.MOST_FLOWS);
  }
}
