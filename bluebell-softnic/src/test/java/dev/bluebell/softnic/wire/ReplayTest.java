package dev.bluebell.softnic.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.roce.packet.AtomicAckEth;
import dev.bluebell.roce.packet.AtomicEth;
import dev.bluebell.roce.packet.Bth;
import dev.bluebell.roce.packet.BthOpcode;
import dev.bluebell.roce.packet.Reth;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.wire.SoftRoce.Captured;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Replays requests that were sent to Linux Soft-RoCE to a queue pair of the device, with its
 * numbers, addresses and keys in place of the captured ones. The device responds as Soft-RoCE did.
 */
@ResourceLock(TwoDevices.ADDRESSES)
class ReplayTest {
  private static final String DEVICE = TwoDevices.address(2);
  private static final String PEER = TwoDevices.address(9);
  private static final int REGION_BYTES = 1 << 19;

  // Of the capture with a script as the requester: its address, PSN and path MTU.
  private static final int PROGRAM = 0x0a4d00fe;
  private static final int PROGRAM_PSN = 1911;
  private static final int PROGRAM_LOG_MTU = 10;

  /** The compared fields of a response. */
  record Answer(String opcode, int psn, String syndrome, int msn, int bytes) {
    static Answer of(byte[] transport) {
      ByteBuffer buffer = ByteBuffer.wrap(transport);
      int opcode = Bth.OPCODE.getInt(buffer, 0);
      boolean explains = BthOpcode.extensions(opcode).contains(Aeth.HEADER);
      int at = Bth.HEADER.bytes();
      return new Answer(
          BthOpcode.text(opcode),
          Bth.PSN.getInt(buffer, 0),
          explains ? "0x%02x".formatted(Aeth.SYNDROME.getInt(buffer, at)) : "",
          explains ? Aeth.MSN.getInt(buffer, at) : 0,
          transport.length);
    }
  }

  /** A queue pair of a capture: its requests and responses. */
  private static final class Dialogue {
    final List<Captured> requests = new ArrayList<>();
    final List<byte[]> answers = new ArrayList<>();
    int expected;
    int requester;

    boolean writes = true;
    boolean knowsKeys = true;
    int receives = 8;
    int regionBytes = REGION_BYTES;
    int logMtu;
  }

  /** The dialogues of a capture by the number of the responder's queue pair. */
  private static Map<Integer, Dialogue> dialogues(List<Captured> packets, int requester) {
    Map<Integer, Dialogue> all = new LinkedHashMap<>();
    Dialogue current = null;
    for (Captured packet : packets) {
      ByteBuffer buffer = ByteBuffer.wrap(packet.transport());
      boolean response = BthOpcode.isResponse(Bth.OPCODE.getInt(buffer, 0));
      if (packet.source() == requester && !response) {
        int qpn = Bth.DEST_QP.getInt(buffer, 0);
        current = all.computeIfAbsent(qpn, number -> new Dialogue());
        if (current.requests.isEmpty()) {
          current.expected = Bth.PSN.getInt(buffer, 0);
        }
        current.requests.add(packet);
      } else if (packet.source() != requester && response && current != null) {
        current.requester = Bth.DEST_QP.getInt(buffer, 0);
        current.answers.add(packet.transport());
      }
    }
    return all;
  }

  /** The only dialogue of a capture in which one end sends requests. */
  private static Dialogue dialogue(String name) {
    List<Captured> packets = SoftRoce.packets(name);
    Map<Integer, Dialogue> all = dialogues(packets, packets.getFirst().source());
    assertThat(all).hasSize(1);
    Dialogue only = all.values().iterator().next();
    only.logMtu = logMtu(only);
    return only;
  }

  /** A dialogue of the capture in which a script violates the rules for requesters. */
  private static Dialogue mistakes(int qpn) {
    List<Captured> packets = SoftRoce.packets("python_peer_l2_rootless_extra_uml");
    Dialogue dialogue =
        Objects.requireNonNull(dialogues(packets, PROGRAM).get(qpn), "a dialogue of the QPN");
    dialogue.expected = PROGRAM_PSN;
    dialogue.logMtu = PROGRAM_LOG_MTU;
    return dialogue;
  }

  private static int logMtu(Dialogue dialogue) {
    int longest =
        Stream.concat(
                dialogue.requests.stream().map(Captured::transport), dialogue.answers.stream())
            .mapToInt(transport -> transport.length)
            .max()
            .orElse(0);
    int log = 8;
    while ((1 << log) + 64 < longest) {
      log++;
    }
    return log;
  }

  /** Plays the requester of a dialogue, and returns the device's responses. */
  private static List<byte[]> replay(Dialogue dialogue) {
    try (Rig rig = TwoDevices.open(DEVICE, UnaryOperator.identity());
        Peer peer = new Peer(PEER, DEVICE)) {
      RawMemory region = rig.memory(REGION_BYTES);
      RawMemory part = rig.memory(dialogue.regionBytes);
      RawMemory memory = dialogue.regionBytes == REGION_BYTES ? region : part;
      RawQp qp = rig.qp(new RawQpPlan(rig.cq(8)));
      int timer =
          dialogue.answers.stream()
              .map(Answer::of)
              .filter(
                  answer ->
                      answer.syndrome().startsWith("0x2") || answer.syndrome().startsWith("0x3"))
              .mapToInt(answer -> Integer.decode(answer.syndrome()) & 0x1f)
              .findFirst()
              .orElse(12);
      qp.connect(
          dialogue.requester,
          TwoDevices.to(
              PEER,
              new Settings()
                  .rights(true, dialogue.writes, true)
                  .minRnrTimer(timer)
                  .mtu(dialogue.logMtu - 7)
                  .psn(0, dialogue.expected)));
      for (int i = 0; i < dialogue.receives; i++) {
        qp.receive(region.address(0), REGION_BYTES, region.key());
      }
      long base = base(dialogue.requests);
      List<byte[]> answers = new ArrayList<>();
      for (Captured request : dialogue.requests) {
        peer.send(
            peer.sealed(
                request.transport(),
                request.identification(),
                view -> {
                  ByteBuffer buffer = view.buffer();
                  Bth.DEST_QP.put(buffer, view.at(Bth.HEADER), qp.number());
                  int reth = view.at(Reth.HEADER);
                  int atomic = view.at(AtomicEth.HEADER);
                  if (reth >= 0) {
                    Reth.VA.put(buffer, reth, Reth.VA.get(buffer, reth) - base + memory.address(0));
                    Reth.R_KEY.put(buffer, reth, memory.key() ^ (dialogue.knowsKeys ? 0 : 1));
                  }
                  if (atomic >= 0) {
                    AtomicEth.VA.put(
                        buffer,
                        atomic,
                        AtomicEth.VA.get(buffer, atomic) - base + memory.address(0));
                    AtomicEth.R_KEY.put(
                        buffer, atomic, memory.key() ^ (dialogue.knowsKeys ? 0 : 1));
                  }
                }));
        rig.settle();
        answers.addAll(peer.answers());
      }
      part.expectCanaries();
      region.expectCanaries();
      return answers;
    }
  }

  /** The page of the lowest address that requests name, so that alignment is kept. */
  private static long base(List<Captured> requests) {
    long lowest = Long.MAX_VALUE;
    for (Captured request : requests) {
      ByteBuffer buffer = ByteBuffer.wrap(request.transport());
      List<?> headers = BthOpcode.extensions(Bth.OPCODE.getInt(buffer, 0));
      if (headers.contains(Reth.HEADER) || headers.contains(AtomicEth.HEADER)) {
        lowest = Math.min(lowest, buffer.getLong(Bth.HEADER.bytes()));
      }
    }
    return lowest & ~63;
  }

  private static List<Answer> read(List<byte[]> answers) {
    return answers.stream().map(Answer::of).toList();
  }

  private static void expectTheSame(Dialogue dialogue) {
    List<byte[]> ours = replay(dialogue);
    assertThat(dialogue.answers).isNotEmpty();
    assertThat(read(ours)).isEqualTo(read(dialogue.answers));
    for (byte[] answer : ours) {
      assertThat(Bth.DEST_QP.getInt(ByteBuffer.wrap(answer), 0)).isEqualTo(dialogue.requester);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rc_send_single",
        "rc_send_multi",
        "rc_send_multi_mtu4096",
        "rc_send_odd_pad",
        "rc_send_zero_and_odd",
        "rc_send_imm",
        "rc_send_imm_multi",
        "rc_write_single",
        "rc_write_multi",
        "rc_write_multi_mtu256",
        "rc_write_zero",
        "rc_write_boundaries_1024",
        "rc_write_boundaries_2048",
        "rc_write_imm",
        "rc_write_imm_multi",
        "rc_read_single",
        "rc_read_multi",
        "rc_read_multi_mtu4096",
        "rc_read_zero",
        "rc_atomic_cas",
        "rc_atomic_faa"
      })
  void goodRequestsAreAnsweredAsSoftRoceAnswersThem(String name) {
    expectTheSame(dialogue(name));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"rc_nak_rem_access_write", "rc_nak_rem_access_read", "rc_nak_rem_access_atomic"})
  void anUnknownKeyIsRefusedAsSoftRoceRefusesIt(String name) {
    Dialogue dialogue = dialogue(name);
    dialogue.knowsKeys = false;
    expectTheSame(dialogue);
  }

  @ParameterizedTest
  @CsvSource({"rc_nak_rem_access_bounds, 2048", "rc_nak_rem_access_read_oob, 4096"})
  void aRangeBeyondTheRegionIsRefusedAsSoftRoceRefusesIt(String name, int bytes) {
    Dialogue dialogue = dialogue(name);
    dialogue.regionBytes = bytes;
    expectTheSame(dialogue);
  }

  @Test
  void withoutAReceiveTheSameNakAsksForTheSamePause() {
    Dialogue dialogue = dialogue("rc_rnr_exhaust");
    dialogue.receives = 0;
    expectTheSame(dialogue);
  }

  /** QPNs of the capture in which a script violates the rules for requesters. */
  @ParameterizedTest
  @CsvSource({
    "0x12, true, true, 8",
    "0x13, true, true, 8",
    // A MIDDLE without a FIRST.
    "0x14, true, true, 8",
    // A gap.
    "0x15, true, true, 8",
    // Duplicates: a SEND, a READ and an atomic, which is not executed again.
    "0x16, true, true, 8",
    "0x17, true, true, 8",
    "0x18, true, true, 8",
    // A SEND that does not request an acknowledgement, and one that does.
    "0x1a, true, true, 8",
    // An atomic that is not aligned.
    "0x1b, true, true, 8",
    // An unknown key, and a right that the queue pair does not give.
    "0x1c, false, true, 8",
    "0x1d, true, false, 8",
    // No receive.
    "0x1e, true, true, 0",
    // An ONLY within a message.
    "0x1f, true, true, 8",
    "0x22, true, true, 8"
  })
  void mistakesOfRequestersAreAnsweredAsSoftRoceAnswersThem(
      String qpn, boolean knowsKeys, boolean writes, int receives) {
    Dialogue dialogue = mistakes(Integer.decode(qpn));
    dialogue.knowsKeys = knowsKeys;
    dialogue.writes = writes;
    dialogue.receives = receives;
    expectTheSame(dialogue);
  }

  @Test
  void whereSoftRoceDiffersFromTheSpecificationThisDeviceFollowsTheSpecification() {
    // A PSN before the first: Soft-RoCE acknowledges PSN 0xffffff, this device the last before its
    // first.
    assertThat(read(replay(mistakes(0x19))))
        .containsExactly(new Answer("RC_ACKNOWLEDGE", 1910, "0x1f", 0, 20));
    // A FIRST that is shorter than the path MTU: Soft-RoCE takes it.
    assertThat(read(replay(mistakes(0x20))))
        .containsExactly(new Answer("RC_ACKNOWLEDGE", 1911, "0x61", 0, 20));
    // The rest of a READ is requested again: Soft-RoCE continues with a MIDDLE.
    List<Answer> again = read(replay(mistakes(0x21)));
    assertThat(again.subList(0, 3)).isEqualTo(read(mistakes(0x21).answers).subList(0, 3));
    assertThat(again.subList(3, 5))
        .containsExactly(
            new Answer("RC_READ_RESPONSE_FIRST", 1912, "0x1f", 1, 1024 + 20),
            new Answer("RC_READ_RESPONSE_LAST", 1913, "0x1f", 1, 452 + 20));
  }

  @Test
  void anAtomicThatComesTwiceIsExecutedOnce() {
    Dialogue dialogue = mistakes(0x18);
    List<byte[]> answers = replay(dialogue);
    assertThat(answers).hasSize(2);
    for (int i = 0; i < 2; i++) {
      int at = Bth.HEADER.bytes() + Aeth.HEADER.bytes();
      assertThat(AtomicAckEth.ORIGINAL.get(ByteBuffer.wrap(answers.get(i)), at))
          .isEqualTo(AtomicAckEth.ORIGINAL.get(ByteBuffer.wrap(dialogue.answers.get(i)), at));
    }
  }
}
